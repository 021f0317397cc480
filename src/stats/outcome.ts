import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';

/** What counts for a rate of passing; all else says nothing of the code: canceled, skipped, not run. */
export type Outcome = 'passed' | 'failed' | undefined;

/** What waits for a person counts as what it was until then. */
export function buildOutcome({ state, blocked_state: until }: Build): Outcome {
  const word = state === 'blocked' ? until : state;
  return word === 'passed' || word === 'failed' ? word : undefined;
}

/** A soft failure is one: what it says of the step does not depend on what follows from it. */
export function jobOutcome({ state }: Job): Outcome {
  if (state === 'passed') return 'passed';
  return state === 'failed' || state === 'timed_out' ? 'failed' : undefined;
}

/** Nothing will change in it by itself. */
export const isFinished = ({ state, blocked }: Build): boolean =>
  blocked === true || finishedStates.has(state ?? '');

/** What a service means by `state=finished` (specification, "Builds"). */
const finishedStates: ReadonlySet<string> = new Set(['passed', 'failed', 'blocked', 'canceled']);
