import { expect, test } from 'vitest';
import { useManyBuilds } from '../../test/support/many-builds.ts';
import { createPruner, parseKeep, type PrunerParts } from './pruner.ts';

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

test('looks up retained builds in batches', async () => {
  const { pruner, asked, store, builds } = scene();
  const over = builds.filter(({ finishedAt, blocked }) => finishedAt !== null && !blocked);
  const removed = await pruner.prune({ newest: 1 });
  expect(removed).toBeGreaterThan(over.length - 4);
  expect(store.builds.count(isLeft)).toBe(builds.length - removed);
  const looks = asked.filter((sql) => sql.includes('finished_at is null or blocked'));
  expect(looks.length).toBeLessThan(removed / 10);
});

test('deletes no more than requested', async () => {
  const { pruner, store, builds } = scene();
  expect(await pruner.prune({ newest: 1 }, 73)).toBe(73);
  expect(store.builds.count(isLeft)).toBe(builds.length - 73);
});

test('removes the files first if the database has no space for the removal', async () => {
  const isFull = new Set<string>();
  const { store, builds } = useManyBuilds(700, (database) => ({
    ...database,
    run: (sql, ...values) => {
      const [id] = values;
      if (sql === 'delete from builds where id = ?' && isFull.has(String(id)))
        throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      database.run(sql, ...values);
    },
  }));
  for (const { id } of builds) isFull.add(id);
  const removeBuild = (id: string) => Promise.resolve(void isFull.delete(id));
  const files = { ...noFiles, artifactFiles: { removeBuild } } as typeof noFiles;
  const pruner = createPruner({ ...files, store, clock: { now: () => 0 } });
  const removed = await pruner.prune({ newest: 1 });
  expect(removed).toBeGreaterThan(500);
  expect(store.builds.count(isLeft)).toBe(builds.length - removed);
});

test.each([
  ['90d', { age: 90 * 86_400_000 }],
  ['12w', { age: 12 * 7 * 86_400_000 }],
  ['36h', { age: 36 * 3_600_000 }],
  ['500', { newest: 500 }],
  ['0', undefined],
  ['0d', undefined],
  ['-1', undefined],
  ['', undefined],
  ['90 d', undefined],
  ['2y', undefined],
  ['all', undefined],
  ['9999999', undefined],
])('%j', (text, keep) => {
  expect(parseKeep(text)).toEqual(keep);
});
