import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { plainCommand, plainStep } from '../pipeline/plan.ts';
import { usualRunOptions } from '../run-options.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrations.ts';
import { openStore } from './store.ts';

const command = {
  ...{ type: 'command', key: 'unit', label: null, line: 2, command: 'npm "test"', env: { A: 'ü' } },
  ...{ softFail: [1, 2], timeoutInMinutes: 5, agentQueryRules: ['queue=q'], artifactPaths: null },
};
const wait = { type: 'wait', key: null, label: null, line: 3, continueOnFailure: true };

const job = (id: string, step: number, state: string) => ({
  ...{ id, step, state, type: step === 1 ? 'waiter' : 'script', retriesCount: 0 },
});

/** A directory with a build of the last release, whose first job was retried. */
function useOldFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-old-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const database = openDatabase(join(folder, 'service.db'));
  migrate(database, 3);
  database.exec(`
    insert into organizations (id, slug, data) values ('o', 'local', '{}');
    insert into pipelines (id, organization_id, slug, data) values ('p', 'o', 'p', '{}');
  `);
  database.run(
    `insert into builds (id, organization_id, pipeline_id, number, state, blocked, branch, commit_id,
       created_at, plan, data) values ('b', 'o', 'p', 1, 'running', 0, 'main', 'c', 0, ?, ?)`,
    JSON.stringify({ env: { P: '1' }, steps: [command, wait, command], notices: [] }),
    JSON.stringify({ id: 'b', organizationId: 'o', number: 1, finishedAt: null }),
  );
  const jobs = [job('one', 0, 'failed'), job('wait', 1, 'waiting'), job('last', 2, 'scheduled')];
  const add = (row: { id: string; state: string }, position: number): void =>
    database.run(
      "insert into jobs (id, build_id, position, state, data) values (?, 'b', ?, ?, ?)",
      ...[row.id, position, row.state, JSON.stringify(row)],
    );
  for (const [position, row] of jobs.entries()) add(row, position === 0 ? 0 : position + 1);
  add(job('again', 0, 'scheduled'), 1);
  database.close();
  return folder;
}

test('a build from the previous release has the current attributes', () => {
  const store = openStore(useOldFolder());
  onTestFinished(() => store.close());
  const tree = store.builds.tree('b');
  expect(tree?.build).toMatchObject({ number: 1, options: usualRunOptions, triggeredFrom: null });
  expect(store.builds.queueCounts('o')).toEqual([{ queue: 'q', state: 'scheduled', n: 2 }]);
  expect(tree?.plan).toEqual({
    env: { P: '1' },
    steps: [
      { ...plainCommand, ...command, definition: 0 },
      { ...plainStep, ...wait, definition: 1 },
      { ...plainCommand, ...command, definition: 2 },
    ],
    notices: [],
  });
  expect(tree?.jobs.map(({ id }) => id)).toEqual(['one', 'again', 'wait', 'last']);
  for (const one of tree?.jobs ?? []) expect(one).toMatchObject({ priority: 0, triggered: null });
});

test('its jobs are found and accepted like new ones', () => {
  const store = openStore(useOldFolder());
  onTestFinished(() => store.close());
  store.waitingJobs.fillDemands();
  const [demand = ''] = store.waitingJobs.demands();
  expect(store.waitingJobs.next(demand, 1)[0]?.job.id).toBe('again');
  const window = { after: null, before: null, limit: 9, fromEnd: false };
  const found = store.jobs.window({ buildId: 'b', stepKeys: ['unit'] }, 'steps', window);
  expect(found.map(({ id }) => id)).toEqual(['one', 'again', 'last']);
});
