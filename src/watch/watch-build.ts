/** One build, from the first look to its end. */
import { buildName, pipelineName, type BuildRef } from '../api/refs.ts';
import type { Client } from '../api/client.ts';
import type { Build } from '../api/resources/build.ts';
import type { Context } from '../context.ts';
import { follow } from './follow.ts';
import { buildExit, isActive, isBoundToFail, isSettled } from './outcome.ts';
import { poll, type PollOptions } from './poll.ts';
import type { View } from './view.ts';
import { newestOfCommit } from './newest-of-commit.ts';
import type { OutageReporter } from './outage.ts';
import { pollInterval } from './poll-interval.ts';
import { showTails } from './failed-log-tails.ts';
import type { CommitBuild, KnownBuild, Target } from './target.ts';
import type { WatchOptions } from './watch-builds.ts';

export interface Watching {
  readonly client: Client;
  readonly view: View;
  readonly outage: OutageReporter;
  readonly options: WatchOptions;
  readonly context: Context;
  readonly signal: AbortSignal;
  /** When the whole wait began. */
  readonly since: number;
}

export interface Ended {
  readonly ref: BuildRef;
  readonly build: Build;
  readonly exitCode: number;
}

export async function watchOne(target: Target, watching: Watching): Promise<Ended> {
  if ('ref' in target) return toTheEnd(target, watching);
  const ref = await appeared(target, watching);
  const options = { ...watching.options, wasReached: true };
  return toTheEnd({ ref }, { ...watching, options });
}

/** Waits until there is a build of the commit. */
async function appeared(target: CommitBuild, watching: Watching): Promise<BuildRef> {
  const { client, view, outage, context } = watching;
  const subject = `a build of commit ${target.commit} in ${pipelineName(target.pipeline)}`;
  const look = outage.watched(() => newestOfCommit(target, client, context));
  let isTold = false;
  for await (const ref of poll(look, { ...pollOptions(subject, watching), isNews: () => false })) {
    if (ref !== undefined) return ref;
    if (!isTold) await view.tell({ event: 'wait', reason: `waiting for ${subject}` });
    isTold = true;
  }
  throw new Error('a poll has no end of its own');
}

async function toTheEnd(target: KnownBuild, watching: Watching): Promise<Ended> {
  const { client, view, outage, options, context } = watching;
  const { ref } = target;
  const tails = options.logs === true ? showTails(client, ref, view, context) : undefined;
  const build = await follow(
    outage.watched(() => client.builds.get(ref, { exact: true })),
    {
      ...pollOptions(`build ${buildName(ref)}`, watching),
      isDone: (build) => hasEnded(build, target) || failsFast(build, options),
      tell: async (event) => {
        await view.tell(event);
        await tails?.(event);
      },
    },
  );
  const exitCode = hasEnded(build, target) ? buildExit(build, options) : 1;
  await view.tell({ event: 'end', build, exitCode });
  return { ref, build, exitCode };
}

/** A build whose job is retried may look as settled as before for a moment. */
const hasEnded = (build: Build, { jobs = [] }: KnownBuild): boolean =>
  isSettled(build) &&
  !(build.jobs ?? []).some((job) => jobs.includes(job.id ?? '') && isActive(job));

const failsFast = (build: Build, { failFast }: WatchOptions): boolean =>
  failFast === true && isBoundToFail(build);

const halfAnHour = 30 * 60_000;

const pollOptions = (
  subject: string,
  { options, context, outage, signal, since }: Watching,
): Omit<PollOptions<unknown>, 'isNews' | 'least'> => ({
  ...{ subject, signal, since, clock: context.clock },
  ...{ interval: options.interval, timeout: options.timeout, wasReached: options.wasReached },
  pace: pollInterval(context.settings.baseUrl),
  maxOutage: options.maxOutage ?? halfAnHour,
  onFault: outage.onFault,
});
