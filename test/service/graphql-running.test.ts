/** GraphQL while jobs are running, and after they were interrupted. */
import { expect, test } from 'vitest';
import { useCounterpart, type Counterpart, type Wire } from './counterpart.ts';
import { scriptedRunner, type ScriptedRunner } from './scripted-runner.ts';

interface Started {
  readonly service: Counterpart;
  readonly runner: ScriptedRunner;
  /** The GraphQL ID of a build with a running and a scheduled job. */
  readonly id: string;
}

async function start({ obedient = true } = {}): Promise<Started> {
  const runner = scriptedRunner({ obedient });
  const service = await useCounterpart({ runner, slots: 1 });
  const path = await service.pipeline('p', "steps: [{ command: 'make' }, { command: 'then' }]");
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
  const build = await service.until(`${path}/builds/1`, ({ state }) => state === 'running');
  return { service, runner, id: build['graphql_id'] as string };
}

async function ask(service: Counterpart, query: string, variables: object = {}): Promise<Wire> {
  const { json } = await service.post('/v1', { query, variables });
  expect(json['errors']).toBeUndefined();
  return json.data;
}

test('an agent shows its running job, and jobs their states', async () => {
  const { service } = await start();
  const query = `{ organization(slug: "local") {
    agents { edges { node { name isRunningJob job { ... on JobTypeCommand { command state agent { name } } } } } }
    running: jobs(state: RUNNING) { count } scheduled: jobs(state: [SCHEDULED]) { count }
    busy: agents(isRunningJob: true) { count } } }`;
  expect(await ask(service, query)).toEqual({
    organization: {
      agents: {
        edges: [
          {
            node: {
              name: 'local-1',
              isRunningJob: true,
              job: { command: 'make', state: 'RUNNING', agent: { name: 'local-1' } },
            },
          },
        ],
      },
      running: { count: 1 },
      scheduled: { count: 1 },
      busy: { count: 1 },
    },
  });
});

test('a canceling build shows so at once, and its jobs why they ended', async () => {
  const { service, id, runner } = await start({ obedient: false });
  const cancel = `mutation($id: ID!) { buildCancel(input: { id: $id }) {
    build { state canceledAt canceledBy { name } finishedAt } } }`;
  expect(await ask(service, cancel, { id })).toEqual({
    buildCancel: {
      build: {
        state: 'CANCELING',
        canceledAt: expect.any(String) as string,
        canceledBy: { name: 'Local user' },
        finishedAt: null,
      },
    },
  });
  runner.finish('make', { exitStatus: -1, signal: 'SIGTERM', signalReason: 'cancel' });
  await service.settled('/v2/organizations/local/pipelines/p/builds/1');
  const query = `{ build(slug: "local/p/1") { state jobs { edges { node { ... on JobTypeCommand {
    state passed exitStatus signal signalReason canceledAt } } } } } }`;
  const canceledAt = expect.any(String) as string;
  const unstarted = { state: 'CANCELED', passed: false, canceledAt };
  expect(await ask(service, query)).toEqual({
    build: {
      state: 'CANCELED',
      jobs: {
        edges: [
          {
            node: { ...unstarted, exitStatus: '-1', signal: 'SIGTERM', signalReason: 'CANCEL' },
          },
          { node: { ...unstarted, exitStatus: null, signal: null, signalReason: null } },
        ],
      },
    },
  });
});

test('a superseded build was canceled by no user', async () => {
  const { service } = await start();
  await service.admin('PATCH', '/organizations/local/pipelines/p', {
    cancel_running_branch_builds: 'true',
  });
  const path = '/v2/organizations/local/pipelines/p/builds';
  await service.post(path, { commit: 'HEAD', branch: 'main' });
  await service.settled(`${path}/1`);
  const query = '{ build(slug: "local/p/1") { canceledAt canceledBy { name } cancelReason } }';
  expect(await ask(service, query)).toEqual({
    build: {
      canceledAt: expect.any(String) as string,
      canceledBy: null,
      cancelReason: 'Superseded by build 2 on the same branch',
    },
  });
});
