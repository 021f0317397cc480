/** Whose eyes a query sees with. What was read once is kept until something changes. */
import type { ServiceContext } from '../service-context.ts';
import type { Build, Job, Organization, Pipeline, Tree } from '../domain/records.ts';
import type { Caller } from '../http/route.ts';

export interface GraphqlContext {
  readonly service: ServiceContext;
  readonly caller: Caller;
  readonly nodes: Nodes;
  readonly seen: Seen;
}

/**
 * The objects that others lead back to: a job has its build, which has its jobs. They come through
 * the context, so that their files need not import each other.
 */
export interface Nodes {
  organization(viewpoint: GraphqlContext, organization: Organization): object;
  pipeline(viewpoint: GraphqlContext, pipeline: Pipeline): object;
  /** Null where there is none, or none that the caller may see. */
  build(viewpoint: GraphqlContext, id: string): object | null;
  job(viewpoint: GraphqlContext, tree: Tree, job: Job): object;
}

interface Seen {
  organizations: readonly Organization[] | undefined;
  readonly pipelines: Map<string, Pipeline | undefined>;
  readonly trees: Map<string, Tree | undefined>;
}

export const graphqlContext = (
  service: ServiceContext,
  caller: Caller,
  nodes: Nodes,
): GraphqlContext => ({
  service,
  caller,
  nodes,
  seen: { organizations: undefined, pipelines: new Map(), trees: new Map() },
});

/** After a change everything is read anew. */
export function lookAgain({ seen }: GraphqlContext): void {
  seen.organizations = undefined;
  seen.pipelines.clear();
  seen.trees.clear();
}

export const organizationsSeen = ({
  service,
  caller,
  seen,
}: GraphqlContext): readonly Organization[] =>
  (seen.organizations ??= service.store.accounts
    .organizations()
    .filter(({ id }) => caller.token.organizationIds.includes(id)));

export const organizationSeen = (context: GraphqlContext, id: string): Organization | undefined =>
  organizationsSeen(context).find((organization) => organization.id === id);

export function pipelineSeen(context: GraphqlContext, id: string): Pipeline | undefined {
  const { service, seen } = context;
  const pipeline = remember(seen.pipelines, id, () => service.store.pipelines.byId(id));
  return pipeline && organizationSeen(context, pipeline.organizationId) && pipeline;
}

export function buildSeen(context: GraphqlContext, id: string): Build | undefined {
  const build = context.service.store.builds.byId(id);
  return build && organizationSeen(context, build.organizationId) && build;
}

export function treeSeen(context: GraphqlContext, buildId: string): Tree | undefined {
  const { service, seen } = context;
  const tree = remember(seen.trees, buildId, () => service.store.builds.tree(buildId));
  return tree && organizationSeen(context, tree.build.organizationId) && tree;
}

function remember<T>(known: Map<string, T>, key: string, find: () => T): T {
  const old = known.get(key);
  if (old !== undefined) return old;
  const found = find();
  known.set(key, found);
  return found;
}
