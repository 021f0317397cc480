import { rebuild } from '../../scheduler/rebuild.ts';
import { buildNode } from '../nodes/build.ts';
import type { GraphqlContext } from '../context.ts';
import { buildAt } from './locate.ts';

/** `buildRebuild`. */
export async function rebuildBuild(
  context: GraphqlContext,
  { id }: { readonly id: string },
): Promise<object> {
  const { service, caller } = context;
  const location = buildAt(context, id);
  const made = await rebuild(service, location, location.build, caller.user?.id);
  return {
    build: () => buildNode(context, location.build.id),
    rebuild: () => buildNode(context, made.id),
  };
}
