/** The service while its database cannot be written, here because another process has locked it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { useCounterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { visitorOf } from './visitor.ts';

function hold(dataDir: string): () => void {
  const other = new Libsql(join(dataDir, 'service.db'));
  other.exec('begin immediate');
  return () => {
    other.exec('rollback');
    other.close();
  };
}

test('stores an outcome when possible, and shows the build until then', async () => {
  const runner = scriptedRunner();
  const service = await useCounterpart({ runner });
  const pipeline = await service.pipeline('p', "steps: [{ command: 'make' }]");
  const build = `${pipeline}/builds/1`;
  await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' });
  await service.until(build, ({ state }) => state === 'running');
  expect(await service.admin('GET', '/status')).toMatchObject({ fault: null });

  const release = hold(service.dataDir);
  const refused = await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' });
  expect(refused.status).toBe(507);
  expect(refused.json.message).toBe('The service cannot write its data: database is locked');
  const query = 'mutation { a: buildCancel(input: { id: "ID" }) { clientMutationId } }';
  const [running] = (await service.get(`${pipeline}/builds`)).list;
  const mutation = await service.post('/v1', {
    query: query.replace('ID', String(running?.['graphql_id'])),
  });
  expect(mutation.status).toBe(507);
  expect(mutation.json['errors']).toEqual([{ message: refused.json.message }]);
  runner.finish('make', { exitStatus: 3 });
  const status = () => service.admin('GET', '/status');
  await expect.poll(status).toMatchObject({ fault: 'database is locked' });
  expect((await service.get(build)).json.state).toBe('running');

  release();
  expect((await service.settled(build)).jobs).toMatchObject([{ state: 'failed', exit_status: 3 }]);
  expect(await service.admin('GET', '/status')).toMatchObject({ fault: null });
});

test('it can be closed, and the job has failed after a restart', async () => {
  const runner = scriptedRunner();
  const dataDir = await mkdtemp(join(tmpdir(), 'cictl-full-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const service = await useCounterpart({ dataDir, runner });
  const pipeline = await service.pipeline('p', "steps: [{ command: 'make' }]");
  const build = `${pipeline}/builds/1`;
  await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' });
  await service.until(build, ({ state }) => state === 'running');
  const release = hold(service.dataDir);
  runner.finish('make');
  await expect
    .poll(() => service.admin('GET', '/status'))
    .toMatchObject({
      fault: 'database is locked',
    });
  await service.close();
  release();
  const again = await useCounterpart({ dataDir, runner });
  expect((await again.settled(build)).jobs).toMatchObject([{ state: 'failed', exit_status: -1 }]);
});

test('keeps typed values in a form until they can be stored', async () => {
  const service = await useCounterpart({ runner: scriptedRunner() });
  const pipeline = await service.pipeline(
    'p',
    'steps: [{ block: Go, fields: [{ text: V, key: v }] }]',
  );
  const { json } = await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' });
  const owner = await visitorOf(service);
  const forms = [
    ['/local/p/builds', { branch: 'main', commit: 'HEAD', message: 'typed at length' }],
    [`/local/p/builds/1/jobs/${json.jobs[0]?.id}/unblock`, { 'field:v': 'typed at length' }],
  ] as const;
  const release = hold(service.dataDir);
  for (const [path, fields] of forms) {
    const { status, text } = await owner.submit(path, fields);
    expect(status).toBe(507);
    expect(text).toContain('The service cannot write its data: database is locked');
    expect(text).toContain('typed at length');
  }
  release();
  for (const [path, fields] of forms) expect((await owner.submit(path, fields)).status).toBe(303);
});
