import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

const wanted = { commit: 'HEAD', branch: 'main' };
const mark = (ms: number): string => `\x1b_bk;t=${ms}\x07`;
const content = [
  `${mark(1_700_000_000_001)}--- \x1b[31mOne & <two>\x1b[0m\r\n`,
  `${mark(1_700_000_000_002)}progress 1\rprogress 2\x1b[K\n`,
  `${mark(1_700_000_000_003)}+++ :tada: Ümläut\n`,
  '--- without a mark\n',
  `${mark(1_700_000_000_004)}--- ${'x'.repeat(500)}\n`,
  '\x1b]8;;javascript:alert(1)\x07link\x1b]8;;\x07 \x1b]1339;url=data:x\x07 end',
].join('');
const size = Buffer.byteLength(content);

let service: Counterpart;
let job: string;
let waiting: string;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const path = await service.pipeline(
    'p',
    "steps: [{ command: 'true' }, { block: b }, { command: 'x' }]",
  );
  await service.post(`${path}/builds`, wanted);
  const { jobs } = await service.settled(`${path}/builds/1`);
  const id = jobs[0]?.id ?? '';
  job = `${path}/builds/1/jobs/${id}`;
  waiting = `${path}/builds/1/jobs/${jobs[2]?.id ?? ''}`;
  await writeFile(join(service.dataDir, 'logs', `${id}.log`), content);
});

afterAll(() => service.close());

test('as an object, with section times to the nanosecond', async () => {
  const { json, text } = await service.get(`${job}/log`);
  expect(json).toMatchObject({ url: `${service.url}${job}/log`, content, size });
  // Compared as text: these numbers exceed JavaScript's range.
  expect(text).toContain('"header_times":[1700000000001000000,1700000000003000000]');
});

test.each<[string, string | undefined, string]>([
  ['/log', 'application/json', 'application/json; charset=utf-8'],
  ['/log', '*/*', 'application/json; charset=utf-8'],
  ['/log', 'text/html, application/json;q=0.9', 'text/html; charset=utf-8'],
  ['/log', 'text/html;q=0.1, text/plain;q=0.9', 'text/plain; charset=utf-8'],
  ['/log', 'text/html;q=0, */*', 'application/json; charset=utf-8'],
  ['/log', 'text/plain', 'text/plain; charset=utf-8'],
  ['/log.txt', undefined, 'text/plain; charset=utf-8'],
  ['/log.txt', 'application/json', 'text/plain; charset=utf-8'],
  ['/log.html', undefined, 'text/html; charset=utf-8'],
])('%s accepting %s is %s', async (suffix, accept, type) => {
  const headers = accept === undefined ? {} : { accept };
  const reply = await service.get(job + suffix, { headers });
  expect([reply.status, reply.headers['content-type']]).toEqual([200, type]);
});

test.each<[string | undefined, number, string, string | undefined]>([
  [undefined, 200, content, undefined],
  ['bytes=-4', 206, ' end', `bytes ${size - 4}-${size - 1}/${size}`],
  ['bytes=-99999', 206, content, `bytes 0-${size - 1}/${size}`],
  [`bytes=${size - 3}-`, 206, 'end', `bytes ${size - 3}-${size - 1}/${size}`],
  ['bytes=1-4', 206, '_bk;', `bytes 1-4/${size}`],
  [`bytes=${size}-`, 416, '', `bytes */${size}`],
  ['bytes=4-1', 200, content, undefined],
  ['lines=1-2', 200, content, undefined],
])('the range %s', async (range, status, text, response) => {
  const reply = await service.get(`${job}/log.txt`, { headers: range ? { range } : {} });
  expect([reply.status, reply.headers['content-range']]).toEqual([status, response]);
  if (status !== 416) expect(reply.text).toBe(text);
});

test('as HTML, it has colors and no active content', async () => {
  const { text, headers } = await service.get(`${job}/log.html`);
  expect(text).toContain('<span style="color:#A00">One &amp; &lt;two&gt;</span>');
  expect(text).toContain('progress 2\n');
  expect(text).not.toContain('progress 1');
  expect(text).toContain('link');
  expect(text).not.toMatch(/javascript:|data:|href|\x1b/);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});

test.each(['', '.txt', '.html'])('a job that has not run has no log%s', async (suffix) => {
  const reply = await service.get(`${waiting}/log${suffix}`);
  expect([reply.status, reply.json.message]).toEqual([404, 'No log found']);
});

test('a deleted log is gone', async () => {
  const path = await service.pipeline('q', "steps: [{ command: 'true' }]");
  await service.post(`${path}/builds`, wanted);
  const { jobs } = await service.settled(`${path}/builds/1`);
  const log = `${path}/builds/1/jobs/${jobs[0]?.id ?? ''}/log`;
  const reply = await service.delete(log);
  expect([reply.status, reply.text]).toEqual([204, '']);
  const { status, json } = await service.get(log);
  expect([status, json.message]).toEqual([404, 'No log found']);
  expect((await service.delete(log)).status).toBe(404);
});

test('reports a log whose file is missing', async () => {
  const made = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  onTestFinished(() => made.close());
  const path = await made.pipeline('p', "steps: [{ command: 'true' }]");
  await made.post(`${path}/builds`, wanted);
  const { jobs } = await made.settled(`${path}/builds/1`);
  await rm(join(made.dataDir, 'logs', `${jobs[0]?.id}.log`), { force: true });
  const { status, json } = await made.get(`${path}/builds/1/jobs/${jobs[0]?.id}/log`);
  expect([status, json.message]).toEqual([404, 'No log found: the log file is missing']);
});

test('the log of a running job can be read so far, and not deleted', async () => {
  const runner = scriptedRunner();
  const other = await createCounterpart({ runner });
  const path = await other.pipeline('p', "steps: [{ command: 'slow' }]");
  await other.post(`${path}/builds`, wanted);
  const { jobs } = await other.until(`${path}/builds/1`, ({ state }) => state === 'running');
  const log = `${path}/builds/1/jobs/${jobs[0]?.id ?? ''}/log`;
  expect((await other.get(`${log}.txt`, { headers: { range: 'bytes=-9' } })).text).toBe('');
  expect((await other.delete(log)).status).toBe(422);
  await other.close();
});

test.each<[string, Record<string, string>]>([
  ['/log', {}],
  ['/log', { accept: '*/*' }],
  ['/log', { accept: 'application/json' }],
  ['/log', { accept: 'text/plain' }],
  ['/log', { range: 'bytes=-4' }],
  ['/log.txt', {}],
])('HEAD of %s with %j returns the length of the log', async (suffix, headers) => {
  const reply = await service.send(job + suffix, { method: 'HEAD', headers });
  expect([reply.status, reply.text]).toEqual([200, '']);
  expect(reply.headers).toMatchObject({
    'content-length': String(size),
    'accept-ranges': 'bytes',
    'content-type': 'text/plain; charset=utf-8',
  });
});

test.each(['/log.json', '/log.html'])(
  'HEAD of %s has the headers of GET, which does not know its length in advance',
  async (suffix) => {
    const [head, get] = [
      await service.send(job + suffix, { method: 'HEAD' }),
      await service.get(job + suffix),
    ];
    const chunked = { 'transfer-encoding': 'chunked' };
    expect([head.status, head.text]).toEqual([200, '']);
    expect(get.headers).toEqual({ ...head.headers, ...chunked, date: get.headers['date'] });
  },
);

test('HEAD of a missing log is 404', async () => {
  const reply = await service.send(`${waiting}/log`, { method: 'HEAD' });
  expect([reply.status, reply.text]).toEqual([404, '']);
});
