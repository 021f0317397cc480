import { cancelBuild } from '../../domain/cancel.ts';
import { buildNode } from '../nodes/build.ts';
import type { GraphqlContext } from '../context.ts';
import { buildAt } from './places.ts';

/** `buildCancel`. */
export function cancel(viewpoint: GraphqlContext, { id }: { readonly id: string }): object {
  const { core, caller } = viewpoint;
  const { build } = buildAt(viewpoint, id);
  core.engine.change(build.id, (tree) =>
    cancelBuild(tree, null, core.clock.now(), caller.user?.id),
  );
  return { build: () => buildNode(viewpoint, build.id) };
}
