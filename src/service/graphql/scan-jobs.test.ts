import { expect, test } from 'vitest';
import type { JobFilters } from '../store/job-filters.ts';
import type { JobKey, JobLists } from '../store/job-lists.ts';
import { scanJobs } from './scan-jobs.ts';
import { createTurns } from './turns.ts';

/** Jobs `1` to `10000`, of which every `nth` is found. */
function scene(nth: number) {
  const asked: number[] = [];
  let turns = 0;
  const between = ({ places }: JobFilters): JobKey[] => {
    const { from, to } = places ?? { from: 1, to: 10_000 };
    asked.push(to - from + 1);
    return Array.from({ length: to - from + 1 }, (_, index) => to - index)
      .filter((seq) => seq % nth === 0)
      .map((seq) => ({ id: String(seq), buildId: '' }));
  };
  const jobs: JobLists = {
    window: (filters, _, { fromEnd, limit, after, before }) => {
      const found = between(filters).filter(
        ({ id }) =>
          (after === null || Number(id) < Number(after)) &&
          (before === null || Number(id) > Number(before)),
      );
      return (fromEnd ? found.reverse() : found).slice(0, limit);
    },
    count: (filters) => between(filters).length,
    places: () => ({ from: 1, to: 10_000 }),
    place: Number,
  };
  const scan = scanJobs(
    jobs,
    {},
    createTurns(() => Promise.resolve(turns++)),
  );
  return { scan, asked, turns: () => turns };
}

const open = { after: null, before: null, fromEnd: false };

test('a few thousand jobs are looked at in a turn, and no more than the page needs', async () => {
  const { scan, asked, turns } = scene(3000);
  const found = await scan.window({ ...open, limit: 2 });
  expect(found.map(({ id }) => id)).toEqual(['9000', '6000']);
  expect([asked, turns()]).toEqual([[4000, 4000], 1]);
});

test.each([
  [{ ...open, fromEnd: true, limit: 2 }, ['3000', '6000']],
  [{ ...open, after: '9000', limit: 5 }, ['6000', '3000']],
  [{ ...open, before: '3000', limit: 5 }, ['9000', '6000']],
  [{ ...open, limit: 5 }, ['9000', '6000', '3000']],
])('%j', async (window, ids) => {
  expect((await scene(3000).scan.window(window)).map(({ id }) => id)).toEqual(ids);
});

test('all are counted, in turns', async () => {
  const { scan, asked, turns } = scene(3);
  expect([await scan.count(), asked, turns()]).toEqual([3333, [4000, 4000, 2000], 3]);
});
