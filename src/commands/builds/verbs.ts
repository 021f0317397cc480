import { build } from '../../api/resources/build.ts';
import type { Handler } from '../../command/command.ts';
import { refOf, resolveBuild } from '../../refs/resolve.ts';
import { changeForWatch, checkWatchOption, watchAfter } from '../../watch/watch-option.ts';
import type { buildsRebuild } from './index.ts';

/** `cictl builds rebuild [BUILD]`. */
export const rebuildBuild: Handler<typeof buildsRebuild> = async (input, context) => {
  checkWatchOption(input, context);
  const ref = await resolveBuild(context, input.build, { mutates: true });
  const { builds } = await context.client();
  const rebuilt = await changeForWatch(build, () => builds.rebuild(ref), input, context, 'created');
  if (rebuilt === undefined || !input.watch) return;
  return watchAfter([{ ref: refOf(ref, rebuilt) }], context);
};
