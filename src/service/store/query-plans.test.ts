/** How SQLite executes each statement of the store: no full scans and no sorting. */
import { expect, test } from 'vitest';
import { useManyBuilds } from '../../../test/support/many-builds.ts';
import type { BuildFilters } from './build-filters.ts';
import type { Database, Value } from './database.ts';
import type { Store } from './store.ts';
import { isFull, longTest, sample } from '../../../test/support/full.ts';

type Statements = Map<string, Value[]>;

/** The database, which records each statement once, with its first values. */
function watched(database: Database, statements: Statements): Database {
  const note = (sql: string, values: Value[]): void => {
    if (!statements.has(sql)) statements.set(sql, values);
  };
  return {
    ...database,
    run: (sql, ...values) => {
      note(sql, values);
      database.run(sql, ...values);
    },
    get: (sql, ...values) => {
      note(sql, values);
      return database.get(sql, ...values);
    },
    all: (sql, ...values) => {
      note(sql, values);
      return database.all(sql, ...values);
    },
  };
}

/**
 * The statements that run during `action`, and the steps of their plans that read or sort too much.
 */
function costly(action: (store: Store) => void): { asked: number; steps: string[] } {
  const statements: Statements = new Map();
  const { database, store } = useManyBuilds(1200, (made) => watched(made, statements));
  statements.clear();
  action(store);
  const steps = [...statements].flatMap(([sql, values]) =>
    database
      .all(`explain query plan ${sql}`, ...values)
      .map(({ detail }) => String(detail))
      .filter((detail) => /TEMP B-TREE|AUTOMATIC|\bSCAN\b/.test(detail) && !isSmall.test(detail))
      .map((detail) => `${detail}: ${sql}`),
  );
  return { asked: statements.size, steps };
}

/**
 * Small sets: things that users create manually, the index with only the jobs that could start now,
 * and constants.
 */
const isSmall = /^SCAN (organizations|users|jobs USING INDEX jobs_to_start|CONSTANT ROW)\b/;

const window = { after: 'b10', before: 'b9', limit: 30, fromEnd: false };

/** Every combination of one of each. */
const combinations = <T extends object>(parts: readonly (readonly T[])[]): T[] =>
  parts.reduce<T[]>(
    (made, choices) => made.flatMap((one) => choices.map((choice) => ({ ...one, ...choice }))),
    [{} as T],
  );

const filters: BuildFilters[] = combinations<BuildFilters>([
  [{ pipelineId: 'p0' }, { organizationIds: ['o0'] }, { organizationIds: ['o0', 'o1'] }],
  [{}, { states: ['passed'] }, { states: ['finished', 'running', 'scheduled', 'not_run'] }],
  [{}, { branches: ['main', 'next'] }],
  [{}, { commits: ['c1'] }],
  [{}, { creatorId: 'u1' }],
  [{}, { createdFrom: 2_000_000, createdTo: 3_000_000 }],
  [{}, { finishedFrom: 2_000_000 }],
  [
    {},
    { metaData: [['stage', 'test']] },
    {
      metaData: [
        ['stage', 'test'],
        ['rare', 'yes'],
      ],
    },
  ],
]);

test('build lists use an index for every combination of filters', () => {
  const { asked, steps } = costly(({ builds }) => {
    for (const one of [...sample(filters), { ...filters[0], buildId: 'b7' }]) {
      for (const offset of [0, 1100]) builds.list(one, { offset, limit: 30 });
      builds.count(one);
      builds.window(one, window);
      builds.window(one, { ...window, fromEnd: true });
    }
  });
  expect(steps).toEqual([]);
  expect(asked).toBeGreaterThan(isFull ? 500 : 50);
});

const large: BuildFilters[] = [
  { pipelineId: 'p0', states: ['finished'], branches: ['main', 'next'] },
  { organizationIds: ['o0'], states: ['passed'], branches: ['main'], createdFrom: 2_000_000 },
  { organizationIds: ['o0', 'o1'], states: ['finished'], creatorId: 'u1', finishedFrom: 2_500_000 },
];

longTest('counting many builds with several filters reads no rows', () => {
  const statements: Statements = new Map();
  const { database, store } = useManyBuilds(4000, (made) => watched(made, statements));
  statements.clear();
  for (const one of large)
    expect(store.builds.count({ ...one, metaData: [['stage', 'test']] })).toBeGreaterThan(50);
  const steps = [...statements].flatMap(([sql, values]) =>
    database.all(`explain query plan ${sql}`, ...values).map(({ detail }) => String(detail)),
  );
  const ofBuilds = steps.filter((detail) => / b USING/.test(detail));
  expect(ofBuilds.length).toBeGreaterThan(0);
  expect(ofBuilds.filter((detail) => !detail.includes('COVERING INDEX builds_facts'))).toEqual([]);
});

test('queries about a build or a pipeline use an index, also while builds run', () => {
  const { steps } = costly((store) => {
    const { annotations, builds, jobs, oldBuilds, pipelines, waitingJobs } = store;
    builds.counts('p0');
    builds.find('p0', 1);
    builds.byId('b1');
    builds.job('none');
    builds.agent('o0', 'none');
    builds.lastFinishedAt('none');
    waitingJobs.next('', 1);
    waitingJobs.demands();
    waitingJobs.count('');
    builds.queueCounts('o0');
    oldBuilds.ofPipeline('p0', 20);
    annotations.ids('none', { offset: 0, limit: 10 });
    annotations.heads('none');
    jobs.start('none');
    jobs.endOfStarts('last');
    for (const to of ['later', 'earlier'] as const) jobs.startBeyond({ at: 0, seq: 1 }, 10, to);
    const starts = { from: { at: 0, seq: 1 }, to: { at: 0, seq: 100 } };
    const window = { after: 'none', before: 'none', limit: 10 };
    for (const fromEnd of [true, false])
      jobs.window({ organizationId: 'o0', starts }, 'started', { ...window, fromEnd });
    builds.jobsIn('scheduled', 'running');
    builds.groupLoad('none');
    builds.nextLimited('none');
    builds.firstPlan('b1');
    builds.earlierInGroup('none', { buildSeq: 1 } as never, 10);
    pipelines.nextNumber('p0');
    const tree = builds.tree('b1199');
    if (tree === undefined) throw new Error('the build is not there');
    const build = { ...tree.build, state: 'canceled' as const, metaData: { other: 'one' } };
    const canceled = tree.jobs.map((job) => ({ ...job, state: 'canceled' as const }));
    builds.update(tree, { ...tree, build, plan: { ...tree.plan }, jobs: canceled });
  });
  expect(steps).toEqual([]);
});

test('finds a batch of artifacts without scanning other batches', () => {
  const statements: Statements = new Map();
  const { database, store } = useManyBuilds(1, (made) => watched(made, statements));
  statements.clear();
  store.artifacts.ofBatch('none', 'batch');
  const plans = [...statements].flatMap(([sql, values]) =>
    database.all(`explain query plan ${sql}`, ...values).map(({ detail }) => String(detail)),
  );
  expect(plans).toEqual([
    'SEARCH artifacts USING INDEX artifacts_of_batches (job_id=? AND batch=?)',
  ]);
});

test('lists annotations without their bodies, which may be megabytes', () => {
  const { database, store } = useManyBuilds(1, (made) => watched(made, asked));
  asked.clear();
  store.annotations.ids('b0', { offset: 0, limit: 10 });
  store.annotations.heads('b0');
  const plans = [...asked].map(([sql, values]) =>
    database.all(`explain query plan ${sql}`, ...values).map(({ detail }) => detail),
  );
  const covering = 'SEARCH annotations USING COVERING INDEX annotation_heads (build_id=?)';
  expect(plans).toEqual([[covering], [covering]]);
});

const asked: Statements = new Map();
