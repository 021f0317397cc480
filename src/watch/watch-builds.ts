import { type BuildRef, buildName, pipelineName } from '../api/refs.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';
import { createPainter } from '../render/painter.ts';
import { liveView } from './live-view.ts';
import {
  worst,
  type OutcomeOptions,
  buildExit,
  isActive,
  isBoundToFail,
  isSettled,
  isFailedJob,
} from './outcome.ts';
import { jsonView, lineView, viewKind, type View, jobNote } from './view.ts';
import { writtenNames, createJobNames, type JobNames } from './job-names.ts';
import {
  commandScope,
  scopedBuild,
  scopedCommand,
  type CommandScope,
  typedJob,
} from './command-scope.ts';
import {
  createOutageReporter,
  poll,
  type PollOptions,
  longestOutage,
  type OutageReporter,
  pollInterval,
  followBuild,
} from './poll.ts';
import { type Target, newestOfCommit, type CommitTarget, type BuildTarget } from './target.ts';
import type { Client } from '../api/client.ts';
import type { Build } from '../api/resources/build.ts';
import { createFailedLogTails } from './job-logs.ts';
import type { Job } from '../api/resources/job.ts';
import { stateGlyph, stateText } from '../render/state.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { clockTime, elapsed } from './frame.ts';

/** Durations are in milliseconds. */
export interface WatchOptions extends OutcomeOptions {
  /** The polling interval. Adaptive by default */
  readonly interval?: number | undefined;
  /** Defaults to half an hour */
  readonly maxOutage?: number | undefined;
  readonly failFast?: boolean | undefined;
  readonly logs?: boolean | undefined;
  readonly bell?: boolean | undefined;
  readonly wasReached?: boolean | undefined;
}

/** Returns the highest exit code. The first error stops all watches. */
export async function watchBuilds(
  targets: readonly Target[],
  options: WatchOptions,
  context: Context,
): Promise<number> {
  const { signal, messages } = context;
  const client = await context.client();
  const view = createView(targets.length > 1, context);
  const outage = createOutageReporter(view, context);
  const found: BuildRef[] = [];
  const onFound = (ref: BuildRef): void => void found.push(ref);
  const parts = { client, view, outage, options, context, onFound };
  const results = await watchAll(targets, signal, (target, signal) =>
    watchBuild(target, { ...parts, signal }),
  )
    .catch((error: unknown) => {
      if (!isStop(error)) ring(options, messages);
      throw withWayBack(error, found, context);
    })
    .finally(() => view.close());
  ring(options, messages);
  for (const result of results) await sayEnd(result, context);
  return worst(results.map(({ exitCode }) => exitCode));
}

/** In a pipe, the last line already says that the build passed. */
async function sayEnd(
  result: WatchResult,
  { out, clock, messages, settings }: Context,
): Promise<void> {
  if (result.exitCode === 0 && viewKind(out) !== 'live') return;
  const names = writtenNames();
  if (messages.isTerminal) await names.prepare(result.build);
  messages.note(endLine(result, clock.now(), commandScope(settings), names.nameOf));
}

function withWayBack(error: unknown, found: readonly BuildRef[], { settings }: Context): unknown {
  if (!isStop(error) || found.length === 0) return error;
  const message = `${error.message}: ${goesOn(found, commandScope(settings))}`;
  return new CictlError(error.kind, message, { cause: error });
}

/** Users who stop the watch themselves do not need the bell. */
const isStop = (error: unknown): error is CictlError =>
  error instanceof CictlError && (error.kind === 'interrupted' || error.kind === 'terminated');

const ring = ({ bell }: WatchOptions, messages: Context['messages']): void =>
  bell === true ? messages.bell() : undefined;

function createView(several: boolean, { out, clock, messages, secrets }: Context): View {
  const viewContext = { out, clock, messages };
  const kind = viewKind(out);
  if (kind === 'json') return jsonView(viewContext);
  if (kind === 'lines') return lineView(viewContext, { several });
  return liveView({ ...viewContext, secrets, painter: createPainter(out) });
}

/** The first error stops the other watches. It is thrown after they have stopped. */
async function watchAll(
  targets: readonly Target[],
  outer: AbortSignal,
  watch: (target: Target, signal: AbortSignal) => Promise<WatchResult>,
): Promise<WatchResult[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([outer, stop.signal]);
  const all = targets.map((target) => watch(target, signal));
  try {
    return await Promise.all(all);
  } finally {
    stop.abort(new Error('stopped watching because another watch failed'));
    await Promise.allSettled(all);
  }
}

interface WatchContext {
  readonly client: Client;
  readonly view: View;
  readonly outage: OutageReporter;
  readonly options: WatchOptions;
  readonly context: Context;
  readonly signal: AbortSignal;
  readonly onFound: (ref: BuildRef) => void;
}

interface WatchResult {
  readonly ref: BuildRef;
  readonly build: Build;
  readonly exitCode: number;
}

async function watchBuild(target: Target, watching: WatchContext): Promise<WatchResult> {
  if ('ref' in target) return watchToEnd(target, watching);
  const ref = await waitForBuild(target, watching);
  const options = { ...watching.options, wasReached: true };
  return watchToEnd({ ref }, { ...watching, options });
}

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
  throw new Error('poll() returned before a build was found');
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
      isDone: (build) =>
        hasEnded(build, target) || (options.failFast === true && isBoundToFail(build)),
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

/** Also checks the retried jobs, because a build may look settled shortly after a retry. */
const hasEnded = (build: Build, { jobs = [] }: BuildTarget): boolean =>
  isSettled(build) &&
  !(build.jobs ?? []).some((job) => jobs.includes(job.id ?? '') && isActive(job));

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

/** For example, `✗ web #143 failed in 0:29: End to end (exit 1) → cictl builds failures web/143` */
export function endLine(
  result: WatchResult,
  now: number,
  scope: CommandScope,
  nameOf: JobNames = createJobNames(),
): string {
  const next = nextCommand(result, scope);
  return `${outcome(result, now, nameOf)}${next === undefined ? '' : ` → ${next}`}`;
}

function outcome({ ref, build, exitCode }: WatchResult, now: number, nameOf: JobNames): string {
  const named = (job: Job): string => `${cleanLine(nameOf(build, job))}${howItEnded(job)}`;
  const state = exitCode === 1 && !isSettled(build) ? 'failing' : (build.state ?? 'unknown');
  const title = `${stateGlyph(state, build)} ${ref.pipeline} #${ref.number}`;
  if (exitCode === 4) return `${title} is blocked at ${blockedSteps(build, nameOf)}`;
  const jobs = (build.jobs ?? []).filter(({ retried }) => retried !== true);
  const failed = jobs.filter(isFailedJob);
  // If no job failed, a canceled job is why the build did not pass.
  const causes = failed.length > 0 ? failed : jobs.filter(({ state }) => state === 'canceled');
  const why = exitCode === 1 && causes.length > 0 ? `: ${listed(causes.map(named))}` : '';
  if (!isSettled(build)) return `${title} is failing${why}; it is still running`;
  return `${title} ${stateText(state, build)}${lasted(build, now)}${why}`;
}

function lasted(build: Build, now: number): string {
  const ms = elapsed(build, now);
  return ms === undefined ? '' : ` ${build.state === 'canceled' ? 'after' : 'in'} ${clockTime(ms)}`;
}

function howItEnded(job: Job): string {
  const note = jobNote({ ...job, soft_failed: false }).replace('exit status', 'exit');
  const how = note === '' && job.state !== 'failed' ? stateText(job.state ?? '') : note;
  return how === '' ? '' : ` (${cleanLine(how)})`;
}

const listed = (texts: readonly string[]): string =>
  texts.length > 3
    ? `${texts.slice(0, 2).join(', ')} and ${texts.length - 2} more`
    : texts.join(', ');

function blockedSteps(build: Build, nameOf: JobNames): string {
  const names = blocked(build).map((job) => `"${cleanLine(nameOf(build, job))}"`);
  return names.length === 0 ? 'a manual step' : listed(names);
}

const blocked = ({ jobs }: Build): Job[] =>
  (jobs ?? []).filter(({ type, state }) => type === 'manual' && state === 'blocked');

function nextCommand({ ref, build, exitCode }: WatchResult, scope: CommandScope) {
  const name = scopedBuild(ref, scope);
  if (exitCode === 1) return scopedCommand(`cictl builds failures ${name}`, scope);
  const [waiting] = exitCode === 4 ? blocked(build) : [];
  const word = waiting && typedJob(waiting, build);
  return word ? scopedCommand(`cictl job unblock ${name}#${word}`, scope) : undefined;
}

/** For example, `the build continues; to watch it again: cictl builds watch web/143`. */
export function goesOn(refs: readonly BuildRef[], scope: CommandScope): string {
  const subject =
    refs.length === 1
      ? 'the build continues; to watch it again'
      : 'the builds continue; to watch them again';
  const again = refs.map((ref) =>
    scopedCommand(`cictl builds watch ${scopedBuild(ref, scope)}`, scope),
  );
  return `${subject}: ${again.join('; ')}`;
}
