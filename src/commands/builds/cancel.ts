import { build } from '../../api/resources/build.ts';
import type { Handler } from '../../command/command.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { changeForWatch, checkWatchOption, watchAfter } from '../../watch/watch-option.ts';
import { refuseOwnBuild } from '../../watch/target.ts';
import type { buildsCancel } from './index.ts';

/** `cictl builds cancel [BUILD...]`: all references are checked before the first is canceled. */
export const cancelBuilds: Handler<typeof buildsCancel> = async (input, context) => {
  checkWatchOption(input, context);
  const texts = input.build.length > 0 ? input.build : [undefined];
  const refs = [];
  for (const text of texts) refs.push(await resolveBuild(context, text, { mutates: true }));
  if (input.watch) for (const ref of refs) refuseOwnBuild(context, ref);
  const names = refs.map((ref) => `${ref.org}/${ref.pipeline}/${ref.number}`);
  if (!context.settings.dryRun) {
    await context.prompts.confirm(`Cancel ${names.join(', ')}?`, '--yes');
  }
  const { builds } = await context.client();
  for (const ref of refs)
    await changeForWatch(build, () => builds.cancel(ref), input, context, 'canceled');
  if (!input.watch || context.settings.dryRun) return;
  return watchAfter(
    refs.map((ref) => ({ ref })),
    input,
    context,
  );
};
