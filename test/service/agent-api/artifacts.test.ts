/** `artifact` as sent by agents, which may use another URL of the service. */
import { expect, test } from 'vitest';
import type { Wire } from '../counterpart.ts';
import { useRunningJobs, type RunningJob } from './running-jobs.ts';
import { sampled } from '../../support/full.ts';

const file = 'steps: [{ key: one, label: First, command: one }, { command: two }]';

interface Instructions {
  readonly artifact_ids: string[];
  readonly per_artifact_instructions: Record<string, { actions: { url: string }[] }>;
}

const describe = (path: string, size = 1, more: object = {}) => ({
  ...{ path, absolute_path: `/w/${path}`, glob_path: '', file_size: size },
  ...{ sha1sum: '', sha256sum: '', content_type: 'text/plain', id: '', job_id: '' },
  ...{ created_at: '0001-01-01T00:00:00Z', ...more },
});

const announce = (job: RunningJob, id: string, artifacts: unknown, host?: string) =>
  job.call(
    ...(['POST', '/v3/jobs/J/artifacts', { id, artifacts, multipart_supported: true }] as const),
    host === undefined ? {} : { host },
  );

const finish = (job: RunningJob, artifacts: unknown) =>
  job.call('PUT', '/v3/jobs/J/artifacts', { artifacts });

const search = async (job: RunningJob, query: string, host?: string): Promise<Wire[]> => {
  const address = `/v3/builds/B/artifacts/search?state=finished&${query}`;
  const reply = await job.call('GET', address, undefined, host === undefined ? {} : { host });
  expect(reply.status, reply.text).toBe(200);
  return reply.list;
};

test('URLs use the host name by which the agent knows the service', async () => {
  const { service, job } = await useRunningJobs(file, 2);
  const one = job('one');
  const host = `localhost:${new URL(service.url).port}`;
  const { artifact_ids: ids, per_artifact_instructions: all } = (
    await announce(one, 'b', [describe('x')], host)
  ).json as unknown as Instructions;
  const url = all[ids[0] ?? '']?.actions[0]?.url ?? '';
  expect(url.startsWith(`http://${host}/v3/artifacts/`)).toBe(true);
  const put = await service.send(new URL(url).pathname, { method: 'PUT', raw: 'x', token: null });
  expect([put.status, put.headers['etag']]).toEqual([200, `"${ids[0] ?? ''}"`]);
  // As agents send it for an upload in one or several parts.
  const etags = [{ part_number: 1, etag: put.headers['etag'] }];
  const finished = { id: ids[0], state: 'finished', multipart: true, multipart_etags: etags };
  expect((await finish(one, [finished])).status).toBe(200);
  expect((await finish(one, [finished])).status).toBe(200);
  const [here] = await search(one, 'query=x');
  const [there] = await search(one, 'query=x', host);
  expect(new URL(String(here?.['url'])).host).toBe(new URL(service.url).host);
  expect(new URL(String(there?.['url'])).host).toBe(host);
});

test('repeating a batch gives the same artifacts in the same order', async () => {
  const { job } = await useRunningJobs(file, 2);
  const [one, two] = [job('one'), job('two')];
  const batch = Array.from({ length: 30 }, (_, index) => describe(`out/${index}`));
  const replies = await Promise.all([announce(one, 'b', batch), announce(one, 'b', batch)]);
  replies.push(await announce(one, 'b', batch));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  const ofOther = await announce(two, 'b', batch);
  expect(ofOther.text).not.toBe(replies[0].text);
});

const notFile = (path: string) =>
  `The path ${JSON.stringify(path)} is not a file in the job's directory`;
test.each<[string, string]>([
  ...['.', './', '/.', 'a/.', 'a/', '.\\.', '..', '../../x', 'a/../../x', '..\\x'].map(
    (path): [string, string] => [path, notFile(path)],
  ),
  ['a\0b', 'path must not contain a NUL character'],
  ['', 'path is missing'],
])('rejects the artifact path %j', async (path, message) => {
  const { job } = await useRunningJobs(file, 2);
  const reply = await announce(job('one'), 'b', [
    describe('fine'),
    describe(path, 1, { absolute_path: '' }),
  ]);
  expect([reply.status, reply.json.message]).toEqual([422, message]);
});

sampled.each([
  [undefined],
  [null],
  ['x'],
  [[null]],
  [['x']],
  [[{}]],
  [[describe('x', -1)]],
  [[describe('x', 1.5)]],
  [[describe('x', 2 ** 60)]],
  [[describe('x', 1, { file_size: '1' })]],
])('%j is no list of artifacts', async (artifacts) => {
  const { service, build, job } = await useRunningJobs(file, 2);
  expect([400, 422]).toContain((await announce(job('one'), 'b', artifacts)).status);
  expect((await service.get(`${build}/artifacts`)).list).toEqual([]);
});

sampled.each([
  [undefined],
  [[{ id: 'nope', state: 'finished' }]],
  [[{ id: 1, state: 'finished' }]],
  [[{ state: 'finished' }]],
])('%j changes no artifact', async (artifacts) => {
  const { job } = await useRunningJobs(file, 2);
  expect([400, 422]).toContain((await finish(job('one'), artifacts)).status);
});

test('a job cannot finish an artifact of another job', async () => {
  const { service, build, job } = await useRunningJobs(file, 2);
  const reply = (await announce(job('one'), 'b', [describe('x')])).json as unknown as Instructions;
  const states = [{ id: reply.artifact_ids[0], state: 'error' }];
  expect((await finish(job('two'), states)).status).toBe(422);
  expect((await service.get(`${build}/artifacts`)).list).toMatchObject([{ state: 'new' }]);
});

sampled.each([
  'query=**',
  'query={x',
  'query=[',
  'query=',
  '',
  'query=%00',
  'scope=nope',
  'query=%ff',
])('a search for %s finds nothing, and is no error', async (query) => {
  const { job } = await useRunningJobs(file, 2);
  expect(await search(job('one'), query)).toEqual([]);
});

test('a search in a missing build finds nothing, so that agents do not retry for a minute', async () => {
  const { job } = await useRunningJobs(file, 2);
  const other = '01234567-89ab-4cde-8f01-23456789abcd';
  const reply = await job('one').call('GET', `/v3/builds/${other}/artifacts/search?query=*`);
  expect([reply.status, reply.text]).toEqual([200, '[]']);
});

test('records, finds and redirects to an artifact that an agent stored elsewhere', async () => {
  const { service, build, job } = await useRunningJobs(file, 2);
  const one = job('one');
  const url = 'https://bucket.example/x/out.txt';
  const destination = 's3://bucket/x';
  const elsewhere = { upload_destination: destination, url };
  const body = {
    id: 'b',
    upload_destination: destination,
    artifacts: [describe('out.txt', 1, elsewhere)],
  };
  const made = await one.call('POST', '/v3/jobs/J/artifacts', body);
  expect([made.status, (await one.call('POST', '/v3/jobs/J/artifacts', body)).text]).toEqual([
    200,
    made.text,
  ]);
  const [id = ''] = (made.json as unknown as Instructions).artifact_ids;
  expect((await finish(one, [{ id, state: 'finished' }])).status).toBe(200);
  expect(await search(one, 'query=out.txt')).toMatchObject([{ id, ...elsewhere }]);
  const download = await service.get(`${build}/jobs/${one.id}/artifacts/${id}/download`);
  expect([download.status, download.headers['location']]).toEqual([302, url]);
});

test('only agents find an artifact stored elsewhere without a web URL', async () => {
  const { service, build, job } = await useRunningJobs(file, 2);
  const one = job('one');
  const artifacts = [describe('x', 1, { url: 'javascript:alert(1)' })];
  const body = { id: 'b', upload_destination: 'gs://bucket', artifacts };
  const made = (await one.call('POST', '/v3/jobs/J/artifacts', body)).json;
  const [id = ''] = (made as unknown as Instructions).artifact_ids;
  await finish(one, [{ id, state: 'finished' }]);
  expect(await search(one, 'query=x')).toMatchObject([
    { id, url: '', upload_destination: 'gs://bucket' },
  ]);
  const download = await service.get(`${build}/jobs/${one.id}/artifacts/${id}/download`);
  expect([download.status, download.headers['location']]).toEqual([404, undefined]);
});
