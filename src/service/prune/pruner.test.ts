import { expect, test } from 'vitest';
import { useManyBuilds } from '../../../test/support/many-builds.ts';
import { createPruner, type PrunerParts } from './pruner.ts';

const noFiles = {
  logs: { remove: () => Promise.resolve() },
  artifactFiles: { removeBuild: () => Promise.resolve() },
  snapshots: { remove: () => Promise.resolve() },
} as unknown as Pick<PrunerParts, 'logs' | 'artifactFiles' | 'snapshots'>;

function scene() {
  const asked: string[] = [];
  const { store, builds } = useManyBuilds(700, (database) => ({
    ...database,
    all: (sql, ...values) => {
      asked.push(sql);
      return database.all(sql, ...values);
    },
  }));
  const clock = { now: () => 0 };
  return { builds, asked, store, pruner: createPruner({ ...noFiles, store, clock }) };
}

const isLeft = { organizationIds: ['o0', 'o1'] };

test('what is still needed is looked up for many builds at once', async () => {
  const { pruner, asked, store, builds } = scene();
  const over = builds.filter(({ finishedAt, blocked }) => finishedAt !== null && !blocked);
  const removed = await pruner.prune({ newest: 1 });
  expect(removed).toBeGreaterThan(over.length - 4);
  expect(store.builds.count(isLeft)).toBe(builds.length - removed);
  const looks = asked.filter((sql) => sql.includes('finished_at is null or blocked'));
  expect(looks.length).toBeLessThan(removed / 10);
});

test('no more go than are asked for', async () => {
  const { pruner, store, builds } = scene();
  expect(await pruner.prune({ newest: 1 }, 73)).toBe(73);
  expect(store.builds.count(isLeft)).toBe(builds.length - 73);
});
