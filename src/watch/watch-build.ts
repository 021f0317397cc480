/** Watches one build until it ends. */
import { buildName, pipelineName, type BuildRef } from '../api/refs.ts';
import type { Client } from '../api/client.ts';
import type { Build } from '../api/resources/build.ts';
import type { Context } from '../context.ts';
import { followBuild } from './follow-build.ts';
import { buildExit, isActive, isBoundToFail, isSettled } from './outcome.ts';
import { poll, type PollOptions } from './poll.ts';
import type { View } from './view.ts';
import { newestOfCommit } from './newest-of-commit.ts';
import { longestOutage } from './longest-outage.ts';
import type { OutageReporter } from './outage.ts';
import { pollInterval } from './poll-interval.ts';
import { createFailedLogTails } from './failed-log-tails.ts';
import type { CommitTarget, BuildTarget, Target } from './target.ts';
import type { WatchOptions } from './watch-builds.ts';

export interface WatchContext {
  readonly client: Client;
  readonly view: View;
  readonly outage: OutageReporter;
  readonly options: WatchOptions;
  readonly context: Context;
  readonly signal: AbortSignal;
  /** Called once, when it is known which build it is. */
  readonly onFound: (ref: BuildRef) => void;
}

export interface WatchResult {
  readonly ref: BuildRef;
  readonly build: Build;
  readonly exitCode: number;
}

export async function watchBuild(target: Target, watching: WatchContext): Promise<WatchResult> {
  if ('ref' in target) return watchToEnd(target, watching);
  const ref = await waitForBuild(target, watching);
  const options = { ...watching.options, wasReached: true };
  return watchToEnd({ ref }, { ...watching, options });
}

/** Waits until there is a build of the commit. */
async function waitForBuild(target: CommitTarget, watching: WatchContext): Promise<BuildRef> {
  const { client, view, outage, context } = watching;
  const subject = `a build of commit ${target.commit} in ${pipelineName(target.pipeline)}`;
  const findBuild = outage.watched(() => newestOfCommit(target, client, context));
  let isReported = false;
  for await (const ref of poll(findBuild, {
    ...pollOptions(subject, watching),
    hasChanged: () => false,
  })) {
    if (ref !== undefined) return ref;
    if (!isReported) await view.report({ event: 'wait', reason: `waiting for ${subject}` });
    isReported = true;
  }
  throw new Error('a poll has no end of its own');
}

async function watchToEnd(target: BuildTarget, watching: WatchContext): Promise<WatchResult> {
  const { client, view, outage, options, context } = watching;
  const { ref } = target;
  watching.onFound(ref);
  const tails =
    options.logs === true ? createFailedLogTails(client, ref, view, context) : undefined;
  const build = await followBuild(
    outage.watched(() => client.builds.get(ref, { exact: true })),
    {
      ...pollOptions(`build ${buildName(ref)}`, watching),
      isDone: (build) => hasEnded(build, target) || failsFast(build, options),
      onEvent: async (event) => {
        await view.report(event);
        await tails?.(event);
      },
    },
  );
  const exitCode = hasEnded(build, target) ? buildExit(build, options) : 1;
  await view.report({ event: 'end', build, exitCode });
  return { ref, build, exitCode };
}

/** A build whose job is retried may look as settled as before for a moment. */
const hasEnded = (build: Build, { jobs = [] }: BuildTarget): boolean =>
  isSettled(build) &&
  !(build.jobs ?? []).some((job) => jobs.includes(job.id ?? '') && isActive(job));

const failsFast = (build: Build, { failFast }: WatchOptions): boolean =>
  failFast === true && isBoundToFail(build);

const pollOptions = (
  subject: string,
  { options, context, outage, signal }: WatchContext,
): Omit<PollOptions<unknown>, 'hasChanged' | 'minInterval'> => ({
  ...{ subject, signal, clock: context.clock },
  ...{ interval: options.interval, wasReached: options.wasReached },
  limits: pollInterval(context.settings.baseUrl),
  maxOutage: options.maxOutage ?? longestOutage(context),
  onError: outage.onError,
});
