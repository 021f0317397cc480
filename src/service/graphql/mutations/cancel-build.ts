import { cancelBuild } from '../../domain/cancel.ts';
import { buildNode } from '../nodes/build.ts';
import type { GraphqlContext } from '../context.ts';
import { buildAt } from './locate.ts';

/** `buildCancel`. */
export function cancelBuildById(context: GraphqlContext, { id }: { readonly id: string }): object {
  const { service, caller } = context;
  const { build } = buildAt(context, id);
  service.engine.change(build.id, (tree) =>
    cancelBuild(tree, null, service.clock.now(), caller.user?.id),
  );
  return { build: () => buildNode(context, build.id) };
}
