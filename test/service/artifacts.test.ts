/** Artifacts: announced, uploaded and searched for by jobs, read through the public API. */
import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useCounterpart, type Counterpart, type Reply, type Wire } from './counterpart.ts';
import { scriptedRunner, type ScriptedRunner } from './scripted-runner.ts';

interface Running {
  readonly service: Counterpart;
  readonly runner: ScriptedRunner;
  /** The REST path of the build. */
  readonly build: string;
}

const file = `
steps:
  - { key: one, label: First, command: one }
  - { key: two, command: two }
`;

/** A build with two running jobs. */
async function useJobs(): Promise<Running> {
  const runner = scriptedRunner();
  const service = await useCounterpart({ runner });
  const pipeline = await service.pipeline('demo', file);
  await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' });
  await expect.poll(() => runner.works.length).toBe(2);
  return { service, runner, build: `${pipeline}/builds/1` };
}

/** The requests of a job, with its own token. */
function agentOf({ service, runner }: Pick<Running, 'service' | 'runner'>, command: string) {
  const spec = runner.works.findLast((work) => work.command === command);
  const { jobId = '', env = {}, hiddenEnv = {} } = spec ?? {};
  const token = hiddenEnv['CICTL_TOKEN'] ?? '';
  const call = (method: string, path: string, body?: unknown): Promise<Reply> =>
    service.send(path, {
      ...{ method, body, token: null },
      headers: { authorization: `Token ${token}` },
    });
  const announce = (batch: string, ...artifacts: object[]) =>
    call('POST', `/v3/jobs/${jobId}/artifacts`, { id: batch, artifacts, upload_destination: '' });
  const finish = (id: string, state = 'finished') =>
    call('PUT', `/v3/jobs/${jobId}/artifacts`, { artifacts: [{ id, state }] });
  const put = (url: string, raw: string): Promise<Reply> =>
    service.send(url.replace(service.url, ''), { method: 'PUT', raw, token: null });
  const buildId = env['BUILDKITE_BUILD_ID'] ?? '';
  return {
    jobId,
    buildId,
    call,
    announce,
    put,
    finish,
    /** Uploads an artifact; resolves to its ID. */
    leave: async (path: string, content: string): Promise<string> => {
      const { id, url } = announced(await announce(path, describe(path, content)));
      expect((await put(url, content)).status).toBe(200);
      expect((await finish(id)).status).toBe(200);
      return id;
    },
    search: async (query: string, more = '', build = buildId): Promise<Wire[]> =>
      (
        await call(
          'GET',
          `/v3/builds/${build}/artifacts/search?query=${encodeURIComponent(query)}${more}`,
        )
      ).list,
  };
}

const describe = (path: string, content: string) => ({
  path,
  absolute_path: `/w/${path}`,
  glob_path: '*',
  file_size: Buffer.byteLength(content),
  sha1sum: createHash('sha1').update(content).digest('hex'),
  sha256sum: createHash('sha256').update(content).digest('hex'),
  content_type: 'text/plain',
});

/** The ID of the only artifact in a response, and the URL to upload it to. */
function announced(reply: Reply): { id: string; url: string } {
  expect(reply.status, reply.text).toBe(200);
  const { artifact_ids: ids, per_artifact_instructions: all } = reply.json as unknown as {
    artifact_ids: string[];
    per_artifact_instructions: Record<string, { actions: { method: string; url: string }[] }>;
  };
  const [id = ''] = ids;
  return { id, url: all[id]?.actions[0]?.url ?? '' };
}

const paths = (list: Wire[]): unknown[] => list.map(({ path }) => path);

test('lists, shows, downloads and deletes the artifacts of a job', async () => {
  const running = await useJobs();
  const { service, build } = running;
  const agent = agentOf(running, 'one');
  const id = await agent.leave('out/ä "1".txt', 'hello');
  const [shown] = (await service.get(`${build}/artifacts`)).list;
  const url = `${service.url}${build}/jobs/${agent.jobId}/artifacts/${id}`;
  const path = url.replace(service.url, '');
  expect(shown).toEqual({
    id,
    job_id: agent.jobId,
    url,
    download_url: `${url}/download`,
    state: 'finished',
    path: 'out/ä "1".txt',
    dirname: 'out',
    filename: 'ä "1".txt',
    mime_type: 'text/plain',
    file_size: 5,
    glob_path: '*',
    original_path: '/w/out/ä "1".txt',
    sha1sum: createHash('sha1').update('hello').digest('hex'),
    sha256sum: createHash('sha256').update('hello').digest('hex'),
  });
  expect((await service.get(`${build}/jobs/${agent.jobId}/artifacts`)).list).toEqual([shown]);
  const other = agentOf(running, 'two').jobId;
  expect((await service.get(`${build}/jobs/${other}/artifacts`)).list).toEqual([]);
  expect((await service.get(`${build}/jobs/${other}/artifacts/${id}`)).status).toBe(404);
  expect((await service.get(path)).json).toEqual(shown);

  const redirect = await service.get(`${path}/download`);
  expect(redirect.status).toBe(302);
  const location = String(redirect.headers['location']);
  expect(redirect.json).toEqual({ url: location });
  const content = await service.get(location.replace(service.url, ''), { token: null });
  expect([content.status, content.text]).toEqual([200, 'hello']);
  expect(content.headers).toMatchObject({
    'content-type': 'text/plain',
    'content-length': '5',
    'content-disposition': `attachment; filename="_ _1_.txt"; filename*=UTF-8''%C3%A4%20%221%22.txt`,
  });
  const part = await service.get(location.replace(service.url, ''), {
    ...{ token: null, headers: { range: 'bytes=1-3' } },
  });
  expect([part.status, part.text]).toEqual([206, 'ell']);
  expect(part.headers).toMatchObject({ 'content-range': 'bytes 1-3/5', 'content-length': '3' });
  const beyond = await service.get(location.replace(service.url, ''), {
    ...{ token: null, headers: { range: 'bytes=5-' } },
  });
  expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */5']);
  const wrong = location.replace(service.url, '').replace(/.$/, 'x');
  expect((await service.get(wrong, { token: null })).status).toBe(404);

  expect((await service.delete(path)).status).toBe(204);
  expect((await service.get(path)).json.state).toBe('deleted');
  expect((await service.get(`${path}/download`)).status).toBe(404);
  expect((await service.get(location.replace(service.url, ''), { token: null })).status).toBe(404);
});

test('its file is private, and its path is not revealed', async () => {
  const running = await useJobs();
  const agent = agentOf(running, 'one');
  const id = await agent.leave('x', 'secret');
  const folder = join(running.service.dataDir, 'artifacts');
  const modes = [folder, join(folder, agent.buildId), join(folder, agent.buildId, id)];
  const found = await Promise.all(modes.map(async (path) => (await stat(path)).mode & 0o777));
  expect(found).toEqual([0o700, 0o700, 0o600]);
  const { token } = await running.service.admin('POST', '/tokens', { scopes: ['read_builds'] });
  const refused = await running.service.get(`${running.build}/artifacts`, { token });
  expect([refused.status, refused.json.message]).toEqual([
    403,
    "Your access token doesn't have the read_artifacts scope",
  ]);
});

test('a repeated announcement gives the same artifacts', async () => {
  const running = await useJobs();
  const agent = agentOf(running, 'one');
  const first = announced(await agent.announce('b1', describe('x', '1')));
  expect(announced(await agent.announce('b1', describe('x', '1')))).toEqual(first);
  expect(announced(await agent.announce('b2', describe('x', '1'))).id).not.toBe(first.id);
});

test('an upload can be repeated until it is finished, and has an ETag', async () => {
  const running = await useJobs();
  const agent = agentOf(running, 'one');
  const { id, url } = announced(await agent.announce('b', describe('x', 'abc')));
  expect((await agent.put(url, 'abc')).headers['etag']).toBe(`"${id}"`);
  expect((await agent.put(url, 'xyz')).status).toBe(200);
  await agent.finish(id);
  const late = await agent.put(url, 'abc');
  expect([late.status, late.json.message]).toEqual([422, 'This artifact was already uploaded']);
});

test.each([
  ['ab', 'The artifact has only 2 of the declared 3 bytes'],
  ['abcd', 'The artifact has more than the declared 3 bytes'],
])('keeps nothing of %j instead of three bytes', async (content, message) => {
  const running = await useJobs();
  const agent = agentOf(running, 'one');
  const { id, url } = announced(await agent.announce('b', describe('x', 'abc')));
  const reply = await agent.put(url, content);
  expect([reply.status, reply.json.message]).toEqual([422, message]);
  const folder = join(running.service.dataDir, 'artifacts');
  expect(await readdir(join(folder, 'drafts'))).toEqual([]);
  expect(await readdir(join(folder, agent.buildId))).toEqual([]);
  await agent.finish(id);
  expect((await running.service.get(`${running.build}/artifacts`)).list).toMatchObject([
    { state: 'error' },
  ]);
});

test('an empty file is an artifact', async () => {
  const agent = agentOf(await useJobs(), 'one');
  await agent.leave('empty', '');
  expect(await agent.search('empty')).toMatchObject([{ file_size: 0 }]);
});

test("a job finds its build's artifacts by pattern, scope and state, the newest of each path", async () => {
  const running = await useJobs();
  const one = agentOf(running, 'one');
  const two = agentOf(running, 'two');
  await one.leave('dist/a.js', '1');
  await one.leave('dist/deep/b.js', '2');
  const newer = await two.leave('dist/a.js', '3');
  await two.announce('never', describe('dist/never.js', ''));

  expect(paths(await one.search('dist/*'))).toEqual(['dist/a.js', 'dist/deep/b.js']);
  const [found] = await one.search('dist/a.js');
  expect(found).toMatchObject({ id: newer, job_id: two.jobId, state: 'finished' });
  expect(Date.parse(String(found?.['created_at']))).toBeGreaterThan(0);
  const content = await running.service.get(
    String(found?.['url']).replace(running.service.url, ''),
    {
      token: null,
    },
  );
  expect(content.text).toBe('3');
  expect(await one.search('dist/a.js', '&include_duplicates=true')).toHaveLength(2);
  for (const scope of ['one', 'First', one.jobId])
    expect(paths(await two.search('*', `&scope=${scope}`))).toEqual([
      'dist/a.js',
      'dist/deep/b.js',
    ]);
  expect(paths(await two.search('{*.js,x}', '&scope=two'))).toEqual(['dist/a.js']);
  expect(paths(await two.search('*', '&state=new'))).toEqual(['dist/never.js']);
  expect(await two.search('nothing')).toEqual([]);
});

test('artifacts of a retried job are found only on request', async () => {
  const running = await useJobs();
  const { service, runner, build } = running;
  const one = agentOf(running, 'one');
  await one.leave('x', '1');
  runner.finish('one', { exitStatus: 1 });
  await service.until(build, ({ jobs }) => jobs[0]?.state === 'failed');
  await service.put(`${build}/jobs/${one.jobId}/retry`);
  const two = agentOf(running, 'two');
  expect(await two.search('x')).toEqual([]);
  expect(await two.search('x', '&include_retried_jobs=true')).toHaveLength(1);
});

test('another pipeline can read them if public, or if a rule allows it', async () => {
  const running = await useJobs();
  const { service, runner } = running;
  const owner = agentOf(running, 'one');
  await owner.leave('x', '1');
  await owner.call('POST', '/nowhere');
  runner.finish('one');
  runner.finish('two');
  await service.settled(running.build);
  const reader = await service.pipeline('reader', "steps: [{ command: 'read' }]");
  await service.post(`${reader}/builds`, { commit: 'HEAD', branch: 'main' });
  await expect.poll(() => runner.works.at(-1)?.command).toBe('read');
  const agent = agentOf(running, 'read');
  expect(await agent.search('x', '', owner.buildId)).toHaveLength(1);

  await service.admin('PATCH', '/organizations/local/pipelines/demo', { restricted: 'true' });
  const path = `/v3/builds/${owner.buildId}/artifacts/search?query=x`;
  const refused = await agent.call('GET', path);
  expect([refused.status, refused.json.message]).toEqual([
    403,
    'Pipeline reader is not allowed to read artifacts of demo; to allow it: cictl rules create ' +
      '--type pipeline.artifacts_read.pipeline --source reader --target demo',
  ]);
  await service.post('/v2/organizations/local/rules', {
    type: 'pipeline.artifacts_read.pipeline',
    value: { source_pipeline: 'reader', target_pipeline: 'demo' },
  });
  expect((await agent.call('GET', path)).list).toHaveLength(1);
});

test('a job cannot announce or finish artifacts for another', async () => {
  const running = await useJobs();
  const one = agentOf(running, 'one');
  const two = agentOf(running, 'two');
  const { id } = announced(await one.announce('b', describe('x', '')));
  expect((await two.finish(id)).status).toBe(422);
  const reply = await two.call('POST', `/v3/jobs/${one.jobId}/artifacts`, { artifacts: [] });
  expect(reply.status).toBe(401);
});

test("a job's token can read its own artifacts by the public API", async () => {
  const running = await useJobs();
  const one = agentOf(running, 'one');
  await one.leave('x', '1');
  const token = running.runner.works[0]?.hiddenEnv['CICTL_TOKEN'] ?? '';
  expect((await running.service.get(`${running.build}/artifacts`, { token })).list).toHaveLength(1);
});

test('a failed write is reported in one sentence and leaves nothing', async () => {
  const running = await useJobs();
  const agent = agentOf(running, 'one');
  const { url } = announced(await agent.announce('b', describe('x', 'abc')));
  const folder = join(running.service.dataDir, 'artifacts');
  await rm(join(folder, 'drafts'), { recursive: true });
  const reply = await agent.put(url, 'abc');
  expect(reply.status).toBe(507);
  expect(reply.json.message).toMatch(/^The service cannot write its data: ENOENT: /);
  expect(await readdir(join(folder, agent.buildId))).toEqual([]);
});

test('a long upload that is rejected partway is told why', async () => {
  const running = await useJobs();
  const agent = agentOf(running, 'one');
  const { url } = announced(await agent.announce('b', describe('x', 'abc')));
  const reply = await agent.put(url, 'x'.repeat(32 * 1024 * 1024));
  expect(reply.status).toBe(422);
  expect(reply.json.message).toBe('The artifact has more than the declared 3 bytes');
});

test('removing a pipeline deletes its artifact files', async () => {
  const running = await useJobs();
  const { service, runner } = running;
  await agentOf(running, 'one').leave('x', '1');
  runner.finish('one');
  runner.finish('two');
  await service.settled(running.build);
  await service.admin('DELETE', '/organizations/local/pipelines/demo');
  expect(await readdir(join(service.dataDir, 'artifacts'))).toEqual(['drafts']);
});
