/** Whose eyes a query sees with. */
import type { Core } from '../core.ts';
import type { Caller } from '../http/route.ts';
import type { Organization, Pipeline, Tree } from '../domain/records.ts';

export interface Viewpoint {
  readonly core: Core;
  readonly caller: Caller;
}

export const organizationsSeen = ({ core, caller }: Viewpoint): Organization[] =>
  core.store.accounts.organizations().filter(({ id }) => caller.token.organizationIds.includes(id));

export const organizationSeen = (viewpoint: Viewpoint, id: string): Organization | undefined =>
  organizationsSeen(viewpoint).find((organization) => organization.id === id);

export function pipelineSeen(viewpoint: Viewpoint, id: string): Pipeline | undefined {
  const pipeline = viewpoint.core.store.pipelines.byId(id);
  return pipeline && organizationSeen(viewpoint, pipeline.organizationId) && pipeline;
}

export function treeSeen(viewpoint: Viewpoint, buildId: string): Tree | undefined {
  const tree = viewpoint.core.store.builds.tree(buildId);
  return tree && organizationSeen(viewpoint, tree.build.organizationId) && tree;
}
