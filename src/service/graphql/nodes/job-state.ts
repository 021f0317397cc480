/** States of jobs under the names of GraphQL. */
import type { JobState } from '../../domain/records.ts';

const finished: readonly JobState[] = ['passed', 'failed'];

/** A job that ran to its end is `FINISHED`; whether it passed is another member. */
export const jobStateOf = (state: JobState): string =>
  finished.includes(state) ? 'FINISHED' : state.toUpperCase();

/** The states that a name stands for. */
export const jobStatesOf = (name: string): readonly JobState[] =>
  name === 'FINISHED' ? finished : [name.toLowerCase() as JobState];
