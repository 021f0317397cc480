/**
 * The cost of a job must not grow with the number of jobs; measured in statements and bytes, not in
 * time.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command, planOf, trigger, wait } from '../../../test/support/plans.ts';
import { until, useScheduler } from '../../../test/support/scheduler.ts';
import type { Plan } from '../pipeline/plan.ts';
import type { Runner } from '../runner-port.ts';
import { openDatabase, type Database, type Row, type Value } from '../store/database.ts';
import { storeOn } from '../store/store.ts';
import { sample } from '../../../test/support/full.ts';

const passed = { exitStatus: 0, signal: null, signalReason: null, timedOut: false };

/** Jobs finish immediately; jobs called `flaky` fail the first time. */
const runner: Runner = {
  start: ({ command: text, env }) => ({
    done: Promise.resolve(
      text === 'flaky' && env.BUILDKITE_RETRY_COUNT === '0' ? { ...passed, exitStatus: 1 } : passed,
    ),
    environment: { get: () => env, set: () => undefined, unset: () => undefined },
    ...{ redact: () => undefined, cancel: () => undefined, kill: () => undefined },
  }),
};

const lengthOf = (values: Iterable<Value>): number =>
  [...values].reduce<number>((sum, value) => sum + String(value ?? '').length, 0);

/** Counts everything that is written to and read from the database. */
function counting(database: Database) {
  const counted = { statements: 0, bytes: 0, transactions: 0 };
  const count = (values: readonly Value[], rows: readonly Row[]): void => {
    counted.statements++;
    counted.bytes += lengthOf(values);
    for (const row of rows) counted.bytes += lengthOf(Object.values(row));
  };
  const wrapped: Database = {
    ...database,
    transaction: (action) => {
      if (!database.isOpen()) counted.transactions++;
      return database.transaction(action);
    },
    run: (sql, ...values) => {
      if (!database.isOpen()) counted.transactions++;
      count(values, []);
      database.run(sql, ...values);
    },
    get: (sql, ...values) => {
      const row = database.get(sql, ...values);
      count(values, row === undefined ? [] : [row]);
      return row;
    },
    all: (sql, ...values) => {
      const rows = database.all(sql, ...values);
      count(values, rows);
      return rows;
    },
  };
  return { counted, wrapped };
}

const none = { statements: 0, bytes: 0, transactions: 0 };

/** The cost per job of a build with this plan, from creation to completion. */
async function costPerJob(plan: Plan): Promise<typeof none> {
  let counted = none;
  const { engine, build, store, addPipeline, steps } = useScheduler({ runner }, (folder) => {
    const counter = counting(openDatabase(join(folder, 'service.db')));
    counted = counter.counted;
    return storeOn(counter.wrapped);
  });
  addPipeline('other');
  steps('wait');
  await engine.start();
  const { id } = await build({ plan });
  await until(() => store.builds.tree(id)?.build.finishedAt !== null);
  expect(store.builds.tree(id)?.build.state).toBe('passed');
  const jobs = plan.steps.length;
  const { statements, bytes, transactions } = counted;
  return {
    statements: statements / jobs,
    bytes: bytes / jobs,
    transactions: transactions / jobs,
  };
}

const concurrency = { group: 'g', limit: 2, method: 'ordered' } as const;
const automatic = [{ exitStatus: '*', signal: null, signalReason: null, limit: 1 }] as const;
const manual = { allowed: true, permitOnPassed: false, reason: null };

const kinds = {
  'of independent jobs': () => [command('a')],
  'of jobs that depend on one another': (index: number) => [
    command('a', {
      key: `k${index}`,
      dependsOn: index === 0 ? [] : [{ step: `k${index - 1}`, allowFailure: false }],
    }),
  ],
  'of jobs with waits between them': () => [command('a'), wait],
  'of jobs of one group': () => [command('a', { concurrency })],
  'of jobs that run again': () => [command('flaky', { retry: { automatic, manual } })],
  'of jobs that are triggers': () => [trigger('other')],
};

test.each(sample(Object.entries(kinds), 6))(
  'in a large build %s, a job costs as much as in a small one',
  async (_, make) => {
    const planWith = (jobs: number): Plan =>
      planOf(...Array.from({ length: jobs }, (__, index) => make(index)).flat());
    const small = await costPerJob(planWith(50));
    const large = await costPerJob(planWith(1000));
    expect(large.statements / small.statements).toBeLessThan(1.1);
    expect(large.bytes / small.bytes).toBeLessThan(1.1);
  },
);

test('a job is one transaction: its end is stored with the start of the next', async () => {
  const commands = Array.from({ length: 200 }, () => command('a'));
  const { transactions } = await costPerJob(planOf(...commands));
  expect(transactions).toBeLessThan(1.2);
});

test('other requests are served between short jobs', async () => {
  const { engine, build, store } = useScheduler({ runner });
  await engine.start();
  const { id } = await build({ plan: planOf(...Array.from({ length: 50 }, () => command('a'))) });
  let turns = 0;
  await until(() => {
    turns++;
    return store.builds.tree(id)?.build.finishedAt !== null;
  });
  expect(turns).toBeGreaterThan(20);
});
