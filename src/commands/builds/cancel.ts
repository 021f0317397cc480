import { buildName, type BuildRef } from '../../api/refs.ts';
import { build } from '../../api/resources/build.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { changeForWatch, checkWatchOption, watchAfter } from '../../watch/watch-option.ts';
import { refuseOwnBuild } from '../../watch/target.ts';
import { changeAll } from '../change-all.ts';
import { unfinishedBuilds } from '../pickable.ts';
import { confirmCancel, type Cancellation } from './confirm-cancel.ts';
import type { buildsCancel } from './index.ts';

type CancelInput = Input<typeof buildsCancel>;

/**
 * `cictl builds cancel [BUILD...]`: all references are checked before the first is canceled. One
 * that is refused does not end the others; the largest code is the exit code.
 */
export const cancelBuilds: Handler<typeof buildsCancel> = async (input, context) => {
  checkWatchOption(input, context);
  const refs = await namedBuilds(input, context);
  if (input.watch) for (const ref of refs) refuseOwnBuild(context, ref);
  const wanted = await confirmCancel(refs, context);
  const { done, failure } = await cancelAll(wanted, input, context);
  const watches = input.watch && done.length > 0;
  const code = watches ? await watchAfter(done, context) : 0;
  if (failure !== undefined) throw failure;
  return code;
};

async function namedBuilds({ build: texts }: CancelInput, context: Context): Promise<BuildRef[]> {
  const refs = new Map<string, BuildRef>();
  for (const text of texts.length > 0 ? texts : [undefined]) {
    const options = { mutates: true, pickable: unfinishedBuilds };
    const ref = await resolveBuild(context, text, options);
    refs.set(buildName(ref), ref);
  }
  return [...refs.values()];
}

async function cancelAll(wanted: readonly Cancellation[], input: CancelInput, context: Context) {
  const { builds } = await context.client();
  const change = async ({ ref, refusal }: Cancellation): Promise<{ ref: BuildRef } | undefined> => {
    if (refusal !== undefined) throw refusal;
    const canceled = await changeForWatch(
      build,
      () => builds.cancel(ref),
      input,
      context,
      'canceled',
    );
    return canceled && { ref };
  };
  const [only, ...others] = wanted;
  if (only !== undefined && others.length === 0) {
    const one = await change(only);
    return { done: one === undefined ? [] : [one], failure: undefined };
  }
  const nameOf = ({ ref }: Cancellation): string => buildName(ref);
  // In the order in which they were named, which is that of the lines on standard output.
  return changeAll(
    wanted,
    { width: 1, nameOf, undone: 'builds were not canceled', change },
    context,
  );
}
