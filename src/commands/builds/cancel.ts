import { buildName, type BuildRef } from '../../api/refs.ts';
import { build, type Build } from '../../api/resources/build.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { changeForWatch, checkWatchOption, watchAfter } from '../../watch/watch-option.ts';
import { refuseOwnBuild } from '../../watch/target.ts';
import { changeAll } from '../change-all.ts';
import { unfinishedBuilds, isUnfinished } from '../pickable.ts';
import type { buildsCancel } from './index.ts';
import { CictlError } from '../../errors.ts';
import { stateWord } from '../../render/state.ts';
import { confirm, isAsked } from '../confirm.ts';

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

// Asks before builds are canceled, with what they are: a number alone says little.

interface Cancellation {
  readonly ref: BuildRef;
  /** Why it is not even tried. */
  readonly refusal?: CictlError;
}

/**
 * What is left to do once the user has agreed. A person is asked about builds that can be canceled;
 * nobody is where there is none. Where no person can be asked, nothing is looked up.
 */
async function confirmCancel(refs: readonly BuildRef[], context: Context): Promise<Cancellation[]> {
  if (!isAsked(context)) {
    await confirm(context, `Cancel ${refs.map(buildName).join(', ')}?`);
    return refs.map((ref) => ({ ref }));
  }
  const titled = [];
  for (const ref of refs) titled.push(await titledBuild(ref, context));
  const titles = titled.flatMap(({ title }) => title ?? []);
  const [only] = titles;
  if (only !== undefined && titles.length === 1) await confirm(context, `Cancel ${only}?`);
  if (titles.length > 1) {
    for (const title of titles) context.messages.note(`  ${title}`);
    await confirm(context, `Cancel these ${titles.length} builds?`);
  }
  return titled;
}

interface Titled extends Cancellation {
  readonly title?: string;
}

async function titledBuild(ref: BuildRef, context: Context): Promise<Titled> {
  try {
    const { builds } = await context.client();
    const build = await builds.get(ref);
    if (isUnfinished(build)) return { ref, title: titleOf(ref, build) };
    throw new CictlError('refused', `${buildName(ref)} is ${wordOf(build)}: nothing to cancel`);
  } catch (error) {
    if (!(error instanceof CictlError) || error.kind === 'interrupted') throw error;
    return { ref, refusal: error };
  }
}

function titleOf(ref: BuildRef, build: Build): string {
  const [message = ''] = (build.message ?? '').split('\n');
  const parts = [wordOf(build), build.branch ?? '', message && JSON.stringify(message)];
  return `${buildName(ref)} (${parts.filter(Boolean).join(', ')})`;
}

const wordOf = ({ state, blocked }: Build): string =>
  stateWord(state ?? 'of unknown state', { blocked }).replaceAll('_', ' ');
