import type { Job } from '../api/resources/job.ts';
import { scopedBuild, scopedCommand, type CommandScope } from '../watch/command-scope.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report-resource.ts';
import type { BuildRef } from '../api/refs.ts';
import type { Build } from '../api/resources/build.ts';
import { currentJobs, shownState } from '../watch/changes.ts';
import { isSettled } from '../watch/outcome.ts';
import { countJobs, jobLabel, jobWord } from './job-words.ts';
import { explained } from './words.ts';

/** `jobs` must be all jobs of the build, because only a unique step key can stand for a job. */
export function nextCommands(
  report: Report,
  scope: CommandScope & { readonly jobs: readonly Job[] },
): string[] {
  const { organization: org, pipeline, number } = report.build;
  const build = scopedBuild({ org, pipeline, number }, scope);
  const first = explained(report).find(([, { state }]) => state !== 'expired')?.[1];
  const log = first?.type === 'script' ? logCommand(first, build, scope.jobs) : null;
  return [...(log === null ? [] : [log]), `cictl ${nextStepCommand(report, build)}`].map(
    (command) => scopedCommand(command, scope),
  );
}

/** The states of failed jobs that `job retry --failed` does not retry. */
const onceOnly = new Set(['canceled', 'expired']);

function nextStepCommand({ build: { state }, failures }: Report, build: string): string {
  if (failures.every(({ soft_failed: isSoft }) => isSoft)) return `builds view ${quoted(build)}`;
  const isRetried = failures.some((job) => !job.soft_failed && !onceOnly.has(job.state));
  if (!isRetried || state === 'canceled') return `builds rebuild ${quoted(build)}`;
  return `job retry --failed --build ${quoted(build)}`;
}

/** The command that the user probably needs next. Undefined if the build passed. */
export function nextOfBuild(ref: BuildRef, build: Build, scope: CommandScope): string | undefined {
  const [step] = waitingSteps(build);
  const unblock = step && unblockCommand(ref, build, step, scope);
  if (shownState(build) === 'blocked' && isSettled(build) && unblock !== undefined) return unblock;
  const words = nextWords(build);
  const name = quoted(scopedBuild(ref, scope));
  return words === undefined ? undefined : scopedCommand(`cictl ${words} ${name}`, scope);
}

function nextWords(build: Build): string | undefined {
  if (!isSettled(build)) return 'builds watch';
  const counts = countJobs(build);
  if (counts.has('failed') || counts.has('soft')) return 'builds failures';
  return shownState(build) === 'canceled' ? 'builds rebuild' : undefined;
}

const waitingSteps = (build: Build): Job[] =>
  currentJobs(build).filter(({ type, state }) => type === 'manual' && state === 'blocked');

export function unblockCommand(
  ref: BuildRef,
  build: Build,
  step: Job,
  scope: CommandScope,
): string | undefined {
  const word = jobWord(step, currentJobs(build));
  return word === undefined
    ? undefined
    : scopedCommand(`cictl job unblock ${quoted(`${scopedBuild(ref, scope)}#${word}`)}`, scope);
}

/** Null if the job has no name that can be typed. `build` is the build as a user would type it. */
export function logCommand(
  job: Pick<Job, 'step_key' | 'id'>,
  build: string,
  jobs: readonly Job[],
): string | null {
  const word = jobWord(job, jobs);
  return word === undefined ? null : `cictl job log ${quoted(`${build}#${word}`)}`;
}

/** The blocked steps of a build, and the commands that unblock them. */
export const waitingWords = (
  { build: { organization: org, pipeline, number } }: Report,
  build: Build,
  scope: CommandScope,
): { readonly step: string; readonly command: string }[] =>
  waitingSteps(build).map((step) => ({
    step: jobLabel(step),
    command: unblockCommand({ org, pipeline, number }, build, step, scope) ?? '',
  }));
