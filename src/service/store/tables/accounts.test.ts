import { expect, test } from 'vitest';
import { command, planOf } from '../../../../test/support/plans.ts';
import { useScheduler } from '../../../../test/support/scheduler.ts';
import { isDone } from '../../domain/job-states.ts';
import type { Token } from '../../domain/records.ts';

test('deletes tokens of long finished jobs in batches', async () => {
  const { store, build, engine } = useScheduler();
  const { id } = await build({ plan: planOf(command('a'), command('b')) });
  const jobs = store.builds.tree(id)?.jobs ?? [];
  const add = (jobId: string, n: number): void => {
    const token: Token = {
      ...{ id: `${jobId}-${n}`, kind: 'job', userId: null, organizationIds: [], scopes: [] },
      ...{ description: '', createdAt: 0, buildId: id, jobId, agentId: 'a' },
    };
    store.accounts.addToken(token, `hash-${jobId}-${n}`);
  };
  const count = (jobId: string): number =>
    Array.from({ length: 1500 }, (_, n) => store.accounts.token(`hash-${jobId}-${n}`)).filter(
      (token) => token !== undefined,
    ).length;
  const [one = '', other = ''] = jobs.map((job) => job.id);
  for (let n = 0; n < 1500; n++) for (const jobId of [one, other]) add(jobId, n);
  const tree = store.builds.tree(id);
  if (tree === undefined) throw new Error('the build is gone');
  const ended = tree.jobs.map((job) =>
    job.id === one ? { ...job, state: 'passed' as const, finishedAt: 1000 } : job,
  );
  store.builds.update(tree, { ...tree, jobs: ended });
  expect(ended.map(isDone)).toEqual([true, false]);

  expect(store.accounts.removeOldTokens(1000, 0)).toBeGreaterThan(0);
  expect([count(one), count(other)]).toEqual([1500, 1500]);
  let after = 0;
  let turns = 0;
  do {
    after = store.accounts.removeOldTokens(1001, after);
    turns++;
  } while (after !== 0);
  expect(turns).toBeGreaterThan(2);
  expect([count(one), count(other)]).toEqual([0, 1500]);
  await engine.stop(true);
});
