import { treeOf } from '../../http/lookups.ts';
import { rebuild } from '../../scheduler/rebuild.ts';
import { buildNode } from '../nodes/build.ts';
import type { GraphqlContext } from '../context.ts';
import { buildAt } from './places.ts';

/** `buildRebuild`. */
export async function rebuildBuild(
  viewpoint: GraphqlContext,
  { id }: { readonly id: string },
): Promise<object> {
  const { core, caller } = viewpoint;
  const place = buildAt(viewpoint, id);
  const made = await rebuild(core, place, treeOf(core, place.build), caller.user?.id);
  return {
    build: () => buildNode(viewpoint, place.build.id),
    rebuild: () => buildNode(viewpoint, made.id),
  };
}
