/** What became of a build, in a line, with the command to type next. */
import type { BuildRef } from '../api/refs.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { stateGlyph, stateText } from '../render/state.ts';
import { cleanLine } from '../untrusted-text.ts';
import { clockTime, elapsed } from './clock-time.ts';
import { jobNote } from './event-line.ts';
import { createJobNames, type JobNames } from './job-names.ts';
import { isSettled, jobExit } from './outcome.ts';
import { scopedBuild, scopedCommand, type CommandScope } from './command-scope.ts';
import { typedJob } from './typed-job.ts';
import type { WatchResult } from './watch-build.ts';

/** `✗ web #143 failed in 0:29: End to end (exit 1) → cictl builds failures web/143`. */
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
  if (exitCode === 4) return `${title} waits at ${blockedSteps(build, nameOf)}`;
  const failed = (build.jobs ?? []).filter((job) => jobExit(job) === 1 && job.retried !== true);
  const why = exitCode === 1 && failed.length > 0 ? `: ${listed(failed.map(named))}` : '';
  if (!isSettled(build)) return `${title} is going to fail${why}; it runs on`;
  return `${title} ${stateText(state, build)}${lasted(build, now)}${why}`;
}

function lasted(build: Build, now: number): string {
  const ms = elapsed(build, now);
  return ms === undefined ? '' : ` ${build.state === 'canceled' ? 'after' : 'in'} ${clockTime(ms)}`;
}

/** ` (exit 1)`. */
function howItEnded(job: Job): string {
  const note = jobNote({ ...job, soft_failed: false }).replace('exit status', 'exit');
  const how = note === '' && job.state !== 'failed' ? stateText(job.state ?? '') : note;
  return how === '' ? '' : ` (${cleanLine(how)})`;
}

/** The first few of many. */
const listed = (texts: readonly string[]): string =>
  texts.length > 3
    ? `${texts.slice(0, 2).join(', ')} and ${texts.length - 2} more`
    : texts.join(', ');

function blockedSteps(build: Build, nameOf: JobNames): string {
  const names = blocked(build).map((job) => `"${cleanLine(nameOf(build, job))}"`);
  return names.length === 0 ? 'a step for a person' : listed(names);
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

/** `the build goes on; again: cictl builds watch web/143`, for who stops watching. */
export function goesOn(refs: readonly BuildRef[], scope: CommandScope): string {
  const subject = refs.length === 1 ? 'the build goes on' : 'the builds go on';
  const again = refs.map((ref) =>
    scopedCommand(`cictl builds watch ${scopedBuild(ref, scope)}`, scope),
  );
  return `${subject}; again: ${again.join('; ')}`;
}
