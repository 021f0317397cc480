import {
  execute,
  GraphQLError,
  parse,
  type DocumentNode,
  type ExecutionResult,
  buildASTSchema,
  OverlappingFieldsCanBeMergedRule as mergingRule,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import type { ServiceContext } from '../service-context.ts';
import type { Caller } from '../http/route.ts';
import { isStorageError } from '../store/database.ts';
import { Cost, resolveField, createTurns } from './cost.ts';
import { maxDepth, limitComplexity, limitDepth, tooDeep, textDepth } from './query-limits.ts';
import { graphqlContext, type GraphqlContext } from './context.ts';
import {
  findNode,
  findBuild,
  findJob,
  findMember,
  findOrganization,
  findPipeline,
  findRule,
  findUser,
  type By,
} from './find.ts';
import { findAgent } from './nodes/agents.ts';
import { buildNode } from './nodes/build.ts';
import { findArtifact, jobNode } from './nodes/job.ts';
import { organizationNode, viewerNode } from './nodes/organization.ts';
import { pipelineNode } from './nodes/pipeline.ts';
import { allMutations } from './mutations.ts';
import { buildSchema } from './schema/builds.ts';
import { jobSchema } from './schema/jobs.ts';
import { organizationSchema } from './schema/organizations.ts';
import { rootSchema } from './schema/root.ts';

/** The largest queries from real clients have about 500 tokens. */
const maxTokens = 10_000;

interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

/** Returns the response body, including any errors. Throws only if writing to the store fails. */
export async function executeQuery(
  service: ServiceContext,
  caller: Caller,
  { query, variables, operationName }: GraphqlRequest,
): Promise<ExecutionResult> {
  try {
    const document = parseQuery(query);
    limitDepth(document);
    const errors = check(document);
    if (errors.length > 0) return { errors };
    limitComplexity(schema, document, operationName, variables);
    const turns = createTurns();
    const nodes = {
      organization: organizationNode,
      pipeline: pipelineNode,
      build: buildNode,
      job: jobNode,
    };
    const context = graphqlContext(service, caller, nodes, turns);
    const cost = new Cost(turns);
    const result = await execute({
      schema,
      fieldResolver: resolveField,
      contextValue: cost,
      document,
      rootValue: { ...queriesOf(context), ...allMutations(context) },
      variableValues: variables,
      operationName: operationName ?? null,
    });
    // As in the REST API, storage errors are server errors and not query errors.
    const storageError = result.errors?.find(({ originalError }) => isStorageError(originalError));
    if (storageError !== undefined) throw storageError.originalError ?? storageError;
    return cost.check(result);
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    // The parser and the validation rules are recursive, so a deep query overflows the stack.
    if (error instanceof RangeError) return { errors: [tooDeep(textDepth(query, maxTokens))] };
    throw error;
  }
}

/** If the query is both too long and too deep, reports only the depth, which is more helpful. */
function parseQuery(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens });
  } catch (error) {
    const depth = textDepth(query, maxTokens);
    throw error instanceof GraphQLError && depth > maxDepth ? tooDeep(depth) : error;
  }
}

const queriesOf = (context: GraphqlContext): object => ({
  viewer: () => viewerNode(context),
  user: ({ uuid }: { uuid: string }) => findUser(context, uuid),
  organization: (by: By) => findOrganization(context, by),
  organizationMember: ({ slug }: { slug: string }) => findMember(context, ownPart(slug)),
  pipeline: (by: By) => findPipeline(context, by),
  build: (by: By) => findBuild(context, by),
  job: ({ uuid }: { uuid: string }) => findJob(context, uuid),
  agent: ({ slug }: { slug: string }) => findAgent(context, ownPart(slug)),
  artifact: ({ uuid }: { uuid: string }) => findArtifact(context, uuid),
  rule: ({ uuid }: { uuid: string }) => findRule(context, uuid),
  node: ({ id }: { id: string }) => findNode(context, id),
});

/** Removes the organization from `ORGANIZATION/UUID`, because UUIDs are unique. */
const ownPart = (slug: string): string => slug.slice(slug.indexOf('/') + 1);

/** The public service's schema plus our additions, which are marked with `own`. */
export const schemaText = [rootSchema, organizationSchema, buildSchema, jobSchema].join('\n');

const definitions = parse(schemaText, { noLocation: true });

export const schema = buildASTSchema(definitions);

const nullableSchema = buildASTSchema(
  visit(definitions, { NonNullType: { leave: ({ type }) => type } }),
);

const otherRules = specifiedRules.filter((rule) => rule !== mergingRule);

/**
 * Validates the query. In the public service, fields with the same response name may differ in
 * nullability (`name` of `User` and of `UnregisteredUser`), and clients rely on that. Therefore the
 * rule about merging fields uses a schema without non-null types.
 */
function check(query: DocumentNode): readonly GraphQLError[] {
  const errors = validate(schema, query, otherRules);
  return errors.length > 0 ? errors : validate(nullableSchema, query, [mergingRule]);
}
