import { buildName, type BuildRef } from '../../api/refs.ts';
import { build, type Build } from '../../api/resources/build.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { stateWord } from '../../render/state.ts';
import { refuseOwnBuild } from '../../watch/target.ts';
import { changeForWatch, checkWatchOption, watchAfter } from '../../watch/watch-option.ts';
import { changeAll } from '../change-all.ts';
import { confirm, isAsked } from '../confirm.ts';
import { unfinishedBuilds, isUnfinished } from '../pickable.ts';
import type { buildsCancel } from './index.ts';

type CancelInput = Input<typeof buildsCancel>;

/**
 * Checks all references before it cancels the first build. If a build cannot be canceled, continues
 * with the others. Exits with the highest exit code.
 */
export const cancelBuilds: Handler<typeof buildsCancel> = async (input, context) => {
  checkWatchOption(input, context);
  const refs = await namedBuilds(input, context);
  if (input.watch) for (const ref of refs) refuseOwnBuild(context, ref);
  const cancellations = await confirmCancel(refs, context);
  const { done, failure } = await cancelAll(cancellations, input, context);
  const watches = input.watch && done.length > 0;
  const code = watches ? await watchAfter(done, context) : 0;
  if (failure !== undefined) throw failure;
  return code;
};

async function namedBuilds({ build: texts }: CancelInput, context: Context): Promise<BuildRef[]> {
  const refs = new Map<string, BuildRef>();
  for (const text of texts.length > 0 ? texts : [undefined]) {
    const ref = await resolveBuild(context, text, { mutates: true, pickable: unfinishedBuilds });
    refs.set(buildName(ref), ref);
  }
  return [...refs.values()];
}

interface Cancellation {
  readonly ref: BuildRef;
  /** State, branch and message, for the confirmation prompt. */
  readonly title?: string;
  /** The error that explains why the build cannot be canceled. */
  readonly refusal?: CictlError;
}

async function cancelAll(
  cancellations: readonly Cancellation[],
  input: CancelInput,
  context: Context,
) {
  const { builds } = await context.client();
  const change = async ({ ref, refusal }: Cancellation) => {
    if (refusal !== undefined) throw refusal;
    const cancel = () => builds.cancel(ref);
    const canceled = await changeForWatch(build, cancel, input, context, 'canceled');
    return canceled && { ref };
  };
  const [only, ...others] = cancellations;
  if (only !== undefined && others.length === 0) {
    const one = await change(only);
    return { done: one === undefined ? [] : [one], failure: undefined };
  }
  const nameOf = ({ ref }: Cancellation): string => buildName(ref);
  const undone = 'builds were not canceled';
  // One at a time, so that standard output follows the order of the arguments.
  return changeAll(cancellations, { width: 1, nameOf, undone, change }, context);
}

/**
 * Asks for confirmation if any of the builds can be canceled. Looks up the builds only for the
 * prompt, because a number alone does not describe a build.
 */
async function confirmCancel(refs: readonly BuildRef[], context: Context): Promise<Cancellation[]> {
  if (!isAsked(context)) {
    await confirm(context, `Cancel ${refs.map(buildName).join(', ')}?`);
    return refs.map((ref) => ({ ref }));
  }
  const cancellations = [];
  for (const ref of refs) cancellations.push(await lookUp(ref, context));
  const titles = cancellations.flatMap(({ title }) => title ?? []);
  if (titles.length === 1) await confirm(context, `Cancel ${titles[0] ?? ''}?`);
  if (titles.length > 1) {
    for (const title of titles) context.messages.note(`  ${title}`);
    await confirm(context, `Cancel these ${titles.length} builds?`);
  }
  return cancellations;
}

async function lookUp(ref: BuildRef, context: Context): Promise<Cancellation> {
  try {
    const { builds } = await context.client();
    const build = await builds.get(ref);
    const state = wordOf(build);
    if (!isUnfinished(build))
      throw new CictlError('refused', `cannot cancel ${buildName(ref)}: it is ${state}`);
    const [message = ''] = (build.message ?? '').split('\n');
    const parts = [state, build.branch ?? '', message && JSON.stringify(message)];
    return { ref, title: `${buildName(ref)} (${parts.filter(Boolean).join(', ')})` };
  } catch (error) {
    if (!(error instanceof CictlError) || error.kind === 'interrupted') throw error;
    return { ref, refusal: error };
  }
}

const wordOf = ({ state, blocked }: Build): string =>
  stateWord(state ?? 'in an unknown state', { blocked }).replaceAll('_', ' ');
