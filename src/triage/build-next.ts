import type { BuildRef } from '../api/refs.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { currentJobs, shownState } from '../watch/changes.ts';
import { isSettled } from '../watch/outcome.ts';
import { scopedBuild, scopedCommand, type CommandScope } from '../watch/command-scope.ts';
import { countJobs } from './job-class.ts';
import { jobWord } from './job-word.ts';
import { quoted } from './quoted.ts';

/** The command that somebody who looks at a build is likely to want next; of one that passed, none. */
export function nextOfBuild(ref: BuildRef, build: Build, scope: CommandScope): string | undefined {
  const words = nextWords(build, scopedBuild(ref, scope));
  return words === undefined ? undefined : scopedCommand(`cictl ${words}`, scope);
}

/** The block steps that a build waits at. */
export const waitingSteps = (build: Build): Job[] =>
  currentJobs(build).filter(({ type, state }) => type === 'manual' && state === 'blocked');

/** The command that lets a build go on from a step. */
export function unblockCommand(ref: BuildRef, build: Build, step: Job, scope: CommandScope) {
  const word = jobWord(step, currentJobs(build));
  return word === undefined
    ? undefined
    : scopedCommand(`cictl job unblock ${quoted(`${scopedBuild(ref, scope)}#${word}`)}`, scope);
}

function nextWords(build: Build, name: string): string | undefined {
  const counts = countJobs(build);
  const [step] = waitingSteps(build);
  const word = step === undefined ? undefined : jobWord(step, currentJobs(build));
  if (shownState(build) === 'blocked' && isSettled(build) && word !== undefined) {
    return `job unblock ${quoted(`${name}#${word}`)}`;
  }
  if (!isSettled(build)) return `builds watch ${quoted(name)}`;
  if (counts.has('failed') || counts.has('soft')) return `builds failures ${quoted(name)}`;
  return shownState(build) === 'canceled' ? `builds rebuild ${quoted(name)}` : undefined;
}
