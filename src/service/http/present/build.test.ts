import { expect, test } from 'vitest';
import { command, planOf } from '../../../../test/support/plans.ts';
import { until, useScheduler } from '../../../../test/support/scheduler.ts';
import type { ServiceContext } from '../../service-context.ts';
import { presentBuild } from './build.ts';

/** A build with this many jobs, all run by the same agent. */
async function scene(jobs: number) {
  const scheduler = useScheduler({ slots: 1 });
  const { engine, runner, build, store, parts } = scheduler;
  await engine.start();
  const made = await build({ plan: planOf(...Array.from({ length: jobs }, () => command('a'))) });
  for (let done = 1; done <= jobs; done++) {
    await until(() => runner.works.length === done);
    runner.finish(runner.works.at(-1)?.jobId ?? '');
  }
  await until(() => store.builds.byId(made.id)?.state === 'passed');
  const reads: string[] = [];
  const accounts = {
    ...store.accounts,
    users: () => {
      reads.push('users');
      return store.accounts.users();
    },
  };
  // The only parts that are used here.
  const service = { ...parts, engine, store: { ...store, accounts } } as unknown as ServiceContext;
  return { ...scheduler, service, tree: store.builds.tree(made.id), reads };
}

test('looks up an agent once per build, however many jobs it ran', async () => {
  const { service, tree, reads, organization, pipeline } = await scene(5);
  if (tree === undefined) throw new Error('the build is not there');
  const view = { single: true, mayEdit: false, includeRetriedJobs: false };
  const shown = presentBuild(service, { organization, pipeline }, tree, view);
  const agent = { name: 'local-1', connection_state: 'connected' };
  expect(JSON.parse(JSON.stringify(shown))).toMatchObject({ jobs: Array(5).fill({ agent }) });
  expect(reads).toEqual(['users']);
});
