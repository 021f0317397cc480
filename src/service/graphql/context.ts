/** Whose eyes a query sees with. What was read once is kept until something changes. */
import type { ServiceContext } from '../service-context.ts';
import type { Build, Job, Organization, Pipeline, Tree } from '../domain/records.ts';
import type { Caller } from '../http/route.ts';
import type { Turns } from './cost.ts';

export interface GraphqlContext {
  readonly service: ServiceContext;
  readonly caller: Caller;
  readonly nodes: Nodes;
  readonly cache: ReadCache;
  /** Others are answered between them. */
  readonly turns: Turns;
}

/**
 * The objects that others lead back to: a job has its build, which has its jobs. They come through
 * the context, so that their files need not import each other.
 */
export interface Nodes {
  organization(context: GraphqlContext, organization: Organization): object;
  pipeline(context: GraphqlContext, pipeline: Pipeline): object;
  /** Null where there is none, or none that the caller may see. */
  build(context: GraphqlContext, id: string): object | null;
  job(context: GraphqlContext, tree: Tree, job: Job): object;
}

interface ReadCache {
  organizations: readonly Organization[] | undefined;
  readonly pipelines: Map<string, Pipeline | undefined>;
  readonly trees: Map<string, Tree | undefined>;
}

export const graphqlContext = (
  service: ServiceContext,
  caller: Caller,
  nodes: Nodes,
  turns: Turns,
): GraphqlContext => ({
  service,
  caller,
  nodes,
  turns,
  cache: { organizations: undefined, pipelines: new Map(), trees: new Map() },
});

/** After a change everything is read anew. */
export function clearCache({ cache }: GraphqlContext): void {
  cache.organizations = undefined;
  cache.pipelines.clear();
  cache.trees.clear();
}

export const visibleOrganizations = ({
  service,
  caller,
  cache,
}: GraphqlContext): readonly Organization[] =>
  (cache.organizations ??= service.store.accounts
    .organizations()
    .filter(({ id }) => caller.token.organizationIds.includes(id)));

export const visibleOrganization = (
  context: GraphqlContext,
  id: string,
): Organization | undefined =>
  visibleOrganizations(context).find((organization) => organization.id === id);

export function visiblePipeline(context: GraphqlContext, id: string): Pipeline | undefined {
  const { service, cache } = context;
  const pipeline = remember(cache.pipelines, id, () => service.store.pipelines.byId(id));
  return pipeline && visibleOrganization(context, pipeline.organizationId) && pipeline;
}

export function visibleBuild(context: GraphqlContext, id: string): Build | undefined {
  const build = context.service.store.builds.byId(id);
  return build && visibleOrganization(context, build.organizationId) && build;
}

export function visibleTree(context: GraphqlContext, buildId: string): Tree | undefined {
  const { cache } = context;
  const tree = remember(cache.trees, buildId, () => readTree(context, buildId));
  return tree && visibleOrganization(context, tree.build.organizationId) && tree;
}

/** What a tree costs grows with its jobs. */
function readTree({ service, turns }: GraphqlContext, buildId: string): Tree | undefined {
  const tree = service.store.builds.tree(buildId);
  turns.count(tree?.jobs.length ?? 0);
  return tree;
}

function remember<T>(cached: Map<string, T>, key: string, find: () => T): T {
  const old = cached.get(key);
  if (old !== undefined) return old;
  const found = find();
  cached.set(key, found);
  return found;
}
