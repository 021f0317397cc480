/** Parallel jobs, matrices, groups, priorities and triggers in both APIs. */
import { expect, test } from 'vitest';
import { command, planOf, trigger } from '../support/plans.ts';
import type { Plan } from '../../src/service/pipeline/plan.ts';
import { useCounterpart, type Wire } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

const group = { definition: 9, key: 'checks', label: 'Checks', dependsOn: null };
const concurrency = { group: 'deploy', limit: 1, method: 'eager' } as const;
const automatic = [
  { exitStatus: [1, 2], signal: null, signalReason: null, limit: 2 },
  { exitStatus: '*', signal: 'kill', signalReason: 'none', limit: 1 },
] as const;

const plan = planOf(
  command('test', {
    key: 't',
    group,
    parallel: { index: 1, total: 3 },
    agentQueryRules: ['queue=q'],
  }),
  command('build', { matrix: { os: 'linux', node: '20' }, priority: 7 }),
  command('deploy', {
    concurrency,
    retry: { automatic, manual: { allowed: false, permitOnPassed: false, reason: null } },
  }),
  trigger('child'),
);

/** A build of `p` with these steps, and a pipeline `child` whose only job is `ship`. */
async function scene(given: Plan = plan) {
  const runner = scriptedRunner();
  const service = await useCounterpart({ runner, slots: 9 });
  const child = await service.pipeline('child', "steps: [{ command: 'ship' }]");
  const pipeline = await service.pipeline('p', "steps: [{ command: 'x' }]");
  const run = await service.admin('POST', '/runs', {
    ...{
      folder: service.dataDir,
      slug: 'p',
      plan: given,
      build: { commit: 'HEAD', branch: 'main' },
    },
  });
  return { service, runner, run, path: `${pipeline}/builds/1`, child: `${child}/builds/1` };
}

test('a build lists its jobs', async () => {
  const { service, path } = await scene();
  const { jobs } = await service.until(path, ({ jobs: all }) => all[3]?.state === 'running');
  expect(jobs[0]).toMatchObject({
    ...{ parallel_group_index: 1, parallel_group_total: 3, group_key: 'checks', step_key: 't' },
    ...{ agent_query_rules: ['queue=q'], matrix: null, priority: { number: 0 } },
  });
  expect(jobs[1]).toMatchObject({
    ...{ matrix: { os: 'linux', node: '20' }, priority: { number: 7 }, group_key: null },
    ...{ parallel_group_index: null, parallel_group_total: null },
  });
  const jobsPath = `${path}/jobs?group_key=checks`;
  expect((await service.get(jobsPath)).text).toContain('"group_key":"checks"');
});

test('a trigger job names its build, and the build the job', async () => {
  const { service, path, child, run } = await scene();
  const { jobs } = await service.until(path, ({ jobs: all }) => all[3]?.state === 'running');
  const made = (await service.get(child)).json;
  expect(jobs[3]).toMatchObject({
    ...{ type: 'trigger', name: 'child' },
    triggered_build: { id: made.id, number: 1, url: made['url'], web_url: made['web_url'] },
  });
  expect(made).toMatchObject({
    source: 'trigger_job',
    triggered_from: { build_id: run.id, build_number: 1, build_pipeline_slug: 'p' },
  });
  expect(run['triggered_from']).toBeNull();
  const log = await service.get(`${path}/jobs/${jobs[3]?.id ?? ''}/log.txt`);
  expect(log.text).toContain(`Created build 1 of child: ${String(made['web_url'])}`);
});

const query = `{ build(slug: "local/p/1") { jobs(first: 9) { edges { node {
  ... on JobTypeCommand {
    parallelGroupIndex parallelGroupTotal matrix priority { number } concurrency { group limit }
    retryRules { manual automatic { exitStatus limit signal signalReason } }
  }
  ... on JobTypeTrigger {
    async label triggered { number pipeline { slug } triggeredFrom { uuid build { number } } }
  }
} } }
  high: jobs(priority: { number: [7] }) { count }
  grouped: jobs(concurrency: { group: ["deploy"] }) { count }
  none: jobs(concurrency: { group: ["other"] }) { count }
} }`;

test('GraphQL shows the same', async () => {
  const { service, path } = await scene();
  const { jobs } = await service.until(path, ({ jobs: all }) => all[3]?.state === 'running');
  const { json } = await service.post('/v1', { query });
  const build = json.data['build'] as Wire & { jobs: { edges: { node: object }[] } };
  const nodes = (build.jobs as unknown as { edges: { node: object }[] }).edges;
  expect(nodes.map(({ node }) => node)).toMatchObject([
    { parallelGroupIndex: 1, parallelGroupTotal: 3, matrix: null, concurrency: null },
    { matrix: { os: 'linux', node: '20' }, priority: { number: 7 }, parallelGroupIndex: null },
    {
      concurrency: { group: 'deploy', limit: 1 },
      retryRules: {
        manual: false,
        automatic: [
          { exitStatus: '1,2', limit: '2', signal: null, signalReason: null },
          { exitStatus: '*', limit: '1', signal: 'kill', signalReason: 'none' },
        ],
      },
    },
    {
      ...{ async: false, label: 'child' },
      triggered: {
        ...{ number: 1, pipeline: { slug: 'child' } },
        triggeredFrom: { uuid: jobs[3]?.id, build: { number: 1 } },
      },
    },
  ]);
  expect(build).toMatchObject({ high: { count: 1 }, grouped: { count: 1 }, none: { count: 0 } });
});

test('jobs are in step order, retries after the jobs they replace', async () => {
  const [a, b] = [command('a'), command('b')];
  const { service, runner, path } = await scene(planOf(a, b));
  await service.until(path, ({ jobs }) => jobs[1]?.state === 'running');
  runner.finish('a', { exitStatus: 1 });
  const { jobs } = await service.until(path, ({ jobs: all }) => all[0]?.state === 'failed');
  await service.put(`${path}/jobs/${jobs[0]?.id ?? ''}/retry`);
  const all = (await service.get(`${path}?include_retried_jobs=true`)).json.jobs;
  expect(all.map(({ name }) => name)).toEqual(['a', 'a', 'b']);
  expect(all[1]?.['retry_source']).toMatchObject({ job_id: jobs[0]?.id });
});
