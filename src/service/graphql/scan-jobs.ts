/** Looks through the jobs of many builds a few thousand at a time: others are answered in between. */
import type { JobFilters } from '../store/job-filters.ts';
import type { JobKey, JobLists } from '../store/job-lists.ts';
import type { Window } from '../store/window.ts';
import { mostFields, type Turns } from './turns.ts';

/** Jobs looked at in one turn: some ten milliseconds, where each has to be read. */
const mostJobs = 4000;

/** The window and the count of the jobs that the filters find, the newest first. */
export const scanJobs = (jobs: JobLists, filters: JobFilters, turns: Turns) => ({
  window: async (window: Window): Promise<JobKey[]> => {
    const found: JobKey[] = [];
    for (const places of parts(jobs, window)) {
      const limit = window.limit - found.length;
      found.push(...jobs.window({ ...filters, places }, 'created', { ...window, limit }));
      if (found.length >= window.limit) break;
      await endTurn(turns);
    }
    return found;
  },
  count: async (): Promise<number> => {
    let count = 0;
    for (const places of parts(jobs, { after: null, before: null, fromEnd: false })) {
      count += jobs.count({ ...filters, places });
      await endTurn(turns);
    }
    return count;
  },
});

type Places = NonNullable<JobFilters['places']>;

/** All places of the window in pieces, in the order in which it is read. */
function* parts(
  jobs: JobLists,
  { after, before, fromEnd }: Pick<Window, 'after' | 'before' | 'fromEnd'>,
): Generator<Places> {
  const all = jobs.places();
  if (all === undefined) return;
  const to = (after === null ? undefined : jobs.place(after)) ?? all.to;
  const from = (before === null ? undefined : jobs.place(before)) ?? all.from;
  if (fromEnd)
    for (let at = from; at <= to; at += mostJobs)
      yield { from: at, to: Math.min(at + mostJobs - 1, to) };
  else
    for (let at = to; at >= from; at -= mostJobs)
      yield { from: Math.max(at - mostJobs + 1, from), to: at };
}

async function endTurn(turns: Turns): Promise<void> {
  turns.count(mostFields);
  await turns.next();
}
