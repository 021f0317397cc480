import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';

/** Undefined for builds and jobs that say nothing about the code: canceled, skipped, not run. */
export type Outcome = 'passed' | 'failed' | undefined;

/** A blocked build counts by its state before it was blocked. */
export function buildOutcome({ state, blocked_state: until }: Build): Outcome {
  const word = state === 'blocked' ? until : state;
  return word === 'passed' || word === 'failed' ? word : undefined;
}

/** A soft failure counts as a failure of the step. */
export function jobOutcome({ state }: Job): Outcome {
  if (state === 'passed') return 'passed';
  return state === 'failed' || state === 'timed_out' ? 'failed' : undefined;
}

export const isFinished = ({ state, blocked }: Build): boolean =>
  blocked === true || finishedStates.has(state ?? '');

/** The states that match `state=finished` (spec.md, "Builds"). */
const finishedStates: ReadonlySet<string> = new Set(['passed', 'failed', 'blocked', 'canceled']);
