import { expect, test } from 'vitest';
import { useManyBuilds, type ManyBuilds } from '../../../test/support/many-builds.ts';
import type { JobFilters, JobKey, JobLists } from '../store/job-lists.ts';
import { scanJobs } from './scan-jobs.ts';
import { createTurns } from './cost.ts';

/** Jobs `1` to `10000`, of which every `nth` matches. */
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
    ...{ start: () => undefined, endOfStarts: () => undefined, startBeyond: () => undefined },
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

test('scans a few thousand jobs per turn, and no more than the page needs', async () => {
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

test('counts all jobs over several turns', async () => {
  const { scan, asked, turns } = scene(3);
  expect([await scan.count(), asked, turns()]).toEqual([3333, [4000, 4000, 2000], 3]);
});

/**
 * Many builds with one job each, most of them accepted, some at the same time; and their IDs in
 * listed order.
 */
function useTakenJobs(): ManyBuilds & { readonly listed: string[] } {
  const scene = useManyBuilds(600);
  const { store, builds, random } = scene;
  const jobs = builds.map(({ id }, seq) => {
    const tree = store.builds.tree(id);
    if (tree?.jobs[0] === undefined) throw new Error('the build has no job');
    const startedAt = random(5) === 0 ? null : 1_000_000 + random(200);
    const job = { ...tree.jobs[0], startedAt };
    store.builds.update(tree, { ...tree, jobs: [job] });
    return { id: job.id, at: startedAt ?? 0, seq };
  });
  const sorted = jobs.sort((a, b) => b.at - a.at || b.seq - a.seq);
  return { ...scene, listed: sorted.map(({ id }) => id) };
}

test('finds jobs in the order agents accepted them, in batches, as a full scan would', async () => {
  const { store, listed, random } = useTakenJobs();
  const asked: number[] = [];
  const watched: JobLists = {
    ...store.jobs,
    window: (filters, order, window) => {
      asked.push(store.jobs.count({ ...filters }));
      return store.jobs.window(filters, order, window);
    },
  };
  const scan = scanJobs(
    watched,
    {},
    createTurns(() => Promise.resolve()),
    'started',
    50,
  );
  for (let round = 0; round < 60; round++) {
    const [from, to] = [random(600), random(600)].sort((a, b) => a - b) as [number, number];
    const isOpen = round % 3 === 0;
    const between = {
      after: isOpen ? null : (listed[from] ?? null),
      before: isOpen ? null : (listed[to] ?? null),
    };
    const piece = isOpen ? listed : listed.slice(from + 1, to);
    for (const limit of [7, 200, 1000]) {
      const ids = async (fromEnd: boolean): Promise<string[]> =>
        (await scan.window({ ...between, limit, fromEnd })).map(({ id }) => id);
      expect(await ids(false)).toEqual(piece.slice(0, limit));
      expect(await ids(true)).toEqual(piece.toReversed().slice(0, limit));
    }
  }
  expect(Math.max(...asked)).toBe(50);
});
