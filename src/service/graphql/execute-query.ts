/** Runs queries and mutations. Loaded with the first one. */
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
import { graphqlContext, type GraphqlContext, clearCache, type Nodes } from './context.ts';
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
import { findArtifact, jobNode } from './nodes/job.ts';
import { viewerNode, organizationNode } from './nodes/organization.ts';
import {
  pauseAgent,
  resumeAgent,
  stopAgent,
  createRule,
  deleteRule,
  annotateBuild,
  cancelBuildById,
  createBuild,
  rebuildBuild,
  retryJobById,
  unblockJobById,
} from './mutations.ts';
import { ApiError, type FieldError } from '../http/api-error.ts';
import { buildNode } from './nodes/build.ts';
import { pipelineNode } from './nodes/pipeline.ts';
import { schemaText } from './schema.ts';

/** Against queries made to cost: the largest of real clients have some 500. */
const maxTokens = 10_000;

interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

/**
 * The body of the response; what is wrong with a query, and what was refused, is in its `errors`.
 * Throws only what the store throws where nothing can be written.
 */
export async function executeQuery(
  { service, caller }: { readonly service: ServiceContext; readonly caller: Caller },
  { query, variables, operationName }: GraphqlRequest,
): Promise<ExecutionResult> {
  try {
    const document = parseQuery(query);
    limitDepth(document);
    const errors = check(document);
    if (errors.length > 0) return { errors };
    limitComplexity(schema, document, operationName, variables);
    const turns = createTurns();
    const context = graphqlContext(service, caller, allNodes, turns);
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
    return cost.check(withoutStorageErrors(result));
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    if (isTooDeep(error)) return { errors: [tooDeep(textDepth(query, maxTokens))] };
    throw error;
  }
}

/** What has too many tokens to be parsed may be too deep as well, which says more. */
function parseQuery(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens });
  } catch (error) {
    const depth = textDepth(query, maxTokens);
    throw error instanceof GraphQLError && depth > maxDepth ? tooDeep(depth) : error;
  }
}

/** The parser and the rules call themselves for each level; what ends them is the stack. */
const isTooDeep = (error: unknown): boolean => error instanceof RangeError;

/** As elsewhere, they are errors of the service, not of the query. */
function withoutStorageErrors(result: ExecutionResult): ExecutionResult {
  const storageError = result.errors?.find(({ originalError }) => isStorageError(originalError));
  if (storageError !== undefined) throw storageError.originalError ?? storageError;
  return result;
}

// Where queries begin. What the caller may not see is null.

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

/** What stands behind the organization's slug; UUIDs are unique without it. */
const ownPart = (slug: string): string => slug.slice(slug.indexOf('/') + 1);

// All mutations: each is what REST does, by the same code.

type Mutation<T> = (context: GraphqlContext, input: T) => object | Promise<object>;

function allMutations(context: GraphqlContext): object {
  const mutation =
    <T>(perform: Mutation<T>) =>
    ({ input }: { input: T & Input }) =>
      payload(context, input, () => perform(context, input));
  return {
    agentStop: mutation(stopAgent),
    agentPause: mutation(pauseAgent),
    agentResume: mutation(resumeAgent),
    buildCreate: mutation(createBuild),
    buildCancel: mutation(cancelBuildById),
    buildRebuild: mutation(rebuildBuild),
    buildAnnotate: mutation(annotateBuild),
    jobTypeCommandRetry: mutation(retryJobById),
    jobTypeBlockUnblock: mutation(unblockJobById),
    ruleCreate: mutation(createRule),
    ruleDelete: mutation(deleteRule),
  };
}

interface Input {
  readonly clientMutationId?: string | null;
}

/**
 * What a mutation returns. What is refused is refused in the words of REST, each error of a
 * validation with it.
 */
async function payload(
  context: GraphqlContext,
  { clientMutationId }: Input,
  perform: () => object | Promise<object>,
): Promise<object> {
  // What an earlier mutation of the same request read may have changed since.
  clearCache(context);
  try {
    return { clientMutationId: clientMutationId ?? null, ...(await perform()) };
  } catch (error) {
    if (error instanceof ApiError && error.errors.length > 0)
      throw new Error([error.message, error.errors.map(textOf).join(', ')].join(': '));
    throw error;
  }
}

const textOf = ({ field, code, message }: FieldError): string => message ?? `${field} is ${code}`;

// The objects that others lead back to, for the context of a query.

const allNodes: Nodes = {
  organization: organizationNode,
  pipeline: pipelineNode,
  build: buildNode,
  job: jobNode,
};

// Whether a query is one of this schema.

const definitions = parse(schemaText, { noLocation: true });

export const schema = buildASTSchema(definitions);

/** The schema without `!`. */
const nullableSchema = buildASTSchema(
  visit(definitions, { NonNullType: { leave: ({ type }) => type } }),
);

const otherRules = specifiedRules.filter((rule) => rule !== mergingRule);

/**
 * What is wrong with the query. The public service lets one name stand for members whose types
 * differ in nullability alone, such as `name` of `User` and of `UnregisteredUser`, and clients rely
 * on it: that rule is asked about a schema in which everything may be null.
 */
function check(query: DocumentNode): readonly GraphQLError[] {
  const errors = validate(schema, query, otherRules);
  return errors.length > 0 ? errors : validate(nullableSchema, query, [mergingRule]);
}
