import type { JobFilters, Start, JobKey, JobLists } from '../store/job-lists.ts';
import type { Window } from '../store/sql.ts';
import { mostFields, type Turns } from './cost.ts';

/** Maximum number of jobs to search per turn. Reading them takes about ten milliseconds. */
const mostJobs = 4000;

/** Searches the jobs of many builds in turns, starting with those created or started last. */
export const scanJobs = (
  jobs: JobLists,
  filters: JobFilters,
  turns: Turns,
  order: 'created' | 'started' = 'created',
  most = mostJobs,
) => ({
  window: async (window: Window): Promise<JobKey[]> => {
    const found: JobKey[] = [];
    const parts = order === 'created' ? placeParts : startParts;
    for (const part of parts(jobs, window, most)) {
      const limit = window.limit - found.length;
      found.push(...jobs.window({ ...filters, ...part }, order, { ...window, limit }));
      if (found.length >= window.limit) break;
      await endTurn(turns);
    }
    return found;
  },
  count: async (): Promise<number> => {
    let count = 0;
    for (const part of placeParts(jobs, { after: null, before: null, fromEnd: false }, most)) {
      count += jobs.count({ ...filters, ...part });
      await endTurn(turns);
    }
    return count;
  },
});

type Part = Pick<JobFilters, 'places' | 'starts'>;
type Ends = Pick<Window, 'after' | 'before' | 'fromEnd'>;

/** Splits a range of positions in the job list into parts of at most `most` positions. */
function* placeParts(
  jobs: JobLists,
  { after, before, fromEnd }: Ends,
  most: number,
): Generator<Part> {
  const all = jobs.places();
  if (all === undefined) return;
  const to = (after === null ? undefined : jobs.place(after)) ?? all.to;
  const from = (before === null ? undefined : jobs.place(before)) ?? all.from;
  if (fromEnd)
    for (let at = from; at <= to; at += most)
      yield { places: { from: at, to: Math.min(at + most - 1, to) } };
  else
    for (let at = to; at >= from; at -= most)
      yield { places: { from: Math.max(at - most + 1, from), to: at } };
}

/** Splits a range of start times into parts. Excludes jobs that start during the search. */
function* startParts(
  jobs: JobLists,
  { after, before, fromEnd }: Ends,
  most: number,
): Generator<Part> {
  const to = after === null ? jobs.endOfStarts('last') : jobs.start(after);
  const from = before === null ? jobs.endOfStarts('first') : jobs.start(before);
  if (to === undefined || from === undefined) return;
  let at: Start | undefined = fromEnd ? from : to;
  while (at !== undefined && !isBefore(to, at) && !isBefore(at, from)) {
    const next = jobs.startBeyond(at, most, fromEnd ? 'later' : 'earlier');
    if (fromEnd) yield { starts: { from: at, to: earlier(to, next && justBefore(next)) } };
    else yield { starts: { from: next === undefined ? from : justAfter(next), to: at } };
    at = next;
  }
}

const isBefore = (a: Start, b: Start): boolean => a.at < b.at || (a.at === b.at && a.seq < b.seq);

const earlier = (a: Start, b: Start | undefined): Start =>
  b === undefined || isBefore(a, b) ? a : b;

const justBefore = ({ at, seq }: Start): Start => ({ at, seq: seq - 1 });
const justAfter = ({ at, seq }: Start): Start => ({ at, seq: seq + 1 });

async function endTurn(turns: Turns): Promise<void> {
  turns.count(mostFields);
  await turns.next();
}
