/** The data that a query can see. Reads are cached until a mutation starts. */
import type { ServiceContext } from '../service-context.ts';
import { findJob } from '../domain/find-job.ts';
import type { Build, Job, Organization, Pipeline, Tree } from '../domain/records.ts';
import type { Caller } from '../http/route.ts';
import type { Turns } from './cost.ts';

export interface GraphqlContext {
  readonly service: ServiceContext;
  readonly caller: Caller;
  readonly nodes: Nodes;
  readonly cache: ReadCache;
  readonly turns: Turns;
}

/**
 * Functions that create nodes. Nodes refer to each other (a job has a build, which has jobs), so
 * these functions are in the context to avoid circular imports.
 */
export interface Nodes {
  organization(context: GraphqlContext, organization: Organization): object;
  pipeline(context: GraphqlContext, pipeline: Pipeline): object;
  build(context: GraphqlContext, id: string): object | undefined;
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
  const { cache, service, turns } = context;
  const tree = remember(cache.trees, buildId, () => {
    const found = service.store.builds.tree(buildId);
    turns.count(found?.jobs.length ?? 0);
    return found;
  });
  return tree && visibleOrganization(context, tree.build.organizationId) && tree;
}

export function visibleOrganizationNode(context: GraphqlContext, id: string): object | undefined {
  const organization = visibleOrganization(context, id);
  return organization && context.nodes.organization(context, organization);
}

export function visiblePipelineNode(context: GraphqlContext, id: string): object | undefined {
  const pipeline = visiblePipeline(context, id);
  return pipeline && context.nodes.pipeline(context, pipeline);
}

export function visibleJobNode(
  context: GraphqlContext,
  buildId: string,
  jobId: string,
): object | undefined {
  const tree = visibleTree(context, buildId);
  const job = tree && findJob(tree, jobId);
  return tree && job && context.nodes.job(context, tree, job);
}

function remember<T>(cached: Map<string, T>, key: string, find: () => T): T {
  const old = cached.get(key);
  if (old !== undefined) return old;
  const found = find();
  cached.set(key, found);
  return found;
}
