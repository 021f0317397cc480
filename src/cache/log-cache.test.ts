import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  dropAccount,
  dropLog,
  logCache,
  type LogCache,
  type LogCacheOptions,
} from './log-cache.ts';

const ref = { org: 'acme', pipeline: 'web', number: 7, job: 'one' };
const baseUrl = 'https://ci.example';

async function useCache(options: Partial<LogCacheOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-cache-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let time = 1_000_000;
  const create = (more: Partial<LogCacheOptions> = {}): LogCache =>
    logCache({ folder, baseUrl, token: 'secret', now: () => (time += 1000), ...options, ...more });
  return { folder, cache: create(), with: create };
}

async function keep(cache: LogCache, text: string, job = ref.job): Promise<void> {
  const draft = await cache.draft({ ...ref, job });
  for (const piece of text.match(/[^]{1,7}/g) ?? []) await draft.add(Buffer.from(piece));
  await draft.keep();
}

async function read(cache: LogCache, job = ref.job, start = 0): Promise<string | undefined> {
  const log = await cache.read({ ...ref, job });
  if (log === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of log.body(start)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const filesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('serves a cached log from any byte', async () => {
  const { cache } = await useCache();
  await keep(cache, 'one two three ä\n');
  expect([await read(cache), await read(cache, ref.job, 8)]).toEqual([
    'one two three ä\n',
    'three ä\n',
  ]);
});

test('a service is the same however its URL is written', async () => {
  const { cache, with: create } = await useCache();
  await keep(cache, 'mine');
  expect(await read(create({ baseUrl: 'https://CI.example:443/' }))).toBe('mine');
});

test('a draft is unused until it is kept, and removed when dropped', async () => {
  const { cache, folder } = await useCache();
  const draft = await cache.draft(ref);
  await draft.add(Buffer.from('half'));
  expect(await read(cache)).toBeUndefined();
  await draft.drop();
  expect(await filesOf(folder)).toEqual([]);
});

test.each([
  ['another token', { token: 'other' }],
  ['another service', { baseUrl: 'https://ci2.example' }],
])('serves nothing to %s', async (_, other) => {
  const { cache, with: create } = await useCache();
  await keep(cache, 'mine');
  expect(await read(create(other))).toBeUndefined();
});

test('files are private, and neither they nor their names reveal the token', async () => {
  const { cache, folder } = await useCache();
  await keep(cache, 'text');
  const [file = ''] = await filesOf(folder);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(file, '..'))).mode & 0o777).toBe(0o700);
  expect(file + (await readFile(file, 'latin1'))).not.toContain('secret');
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['cut short', (bytes) => bytes.subarray(0, -1)],
  ['longer', (bytes) => Buffer.concat([bytes, Buffer.from('x')])],
  ['changed in one byte', (bytes) => (bytes.fill('X', bytes.length - 2, bytes.length - 1), bytes)],
  ['empty', () => Buffer.alloc(0)],
  ['something else', () => Buffer.from('x'.repeat(500))],
])('ignores and replaces a file that is %s', async (_, damage) => {
  const { cache, folder } = await useCache();
  await keep(cache, 'one two');
  const [file = ''] = await filesOf(folder);
  await writeFile(file, damage(await readFile(file)));
  expect(await read(cache)).toBeUndefined();
  await keep(cache, 'one two');
  expect(await read(cache)).toBe('one two');
});

test('two writers of one log leave one complete log', async () => {
  const { cache, folder } = await useCache();
  await Promise.all([keep(cache, 'same text'), keep(cache, 'same text')]);
  expect([await read(cache), await filesOf(folder)]).toEqual(['same text', [expect.any(String)]]);
});

test('evicts the least recently used first', async () => {
  const { cache } = await useCache({ max: 3000 });
  const text = 'x'.repeat(1000);
  for (const job of ['a', 'b']) await keep(cache, text, job);
  for (const job of ['a', 'b', 'a']) await read(cache, job);
  await keep(cache, text, 'c');
  await read(cache, 'c');
  await cache.evict();
  const left = await Promise.all(['a', 'b', 'c'].map((job) => read(cache, job)));
  expect(left).toEqual([text, undefined, text]);
});

test('scans the directory once for many logs, until it may be full', async () => {
  const { cache } = await useCache({ max: 10_000 });
  await keep(cache, 'x'.repeat(1000), 'a');
  await cache.evict(1000);
  // Written by a process that this one does not know.
  await keep(cache, 'x'.repeat(12_000), 'b');
  await cache.evict(1000);
  expect(await read(cache, 'a')).toBeDefined();
  await cache.evict(8000);
  expect(await Promise.all([read(cache, 'a'), read(cache, 'b')])).toEqual([undefined, undefined]);
});

test("writes a build's jobs once for all its logs", async () => {
  const { cache, folder } = await useCache();
  const jobs = [{ id: 'one', state: 'passed' }];
  await cache.keepJobs(ref, jobs);
  await rm((await filesOf(folder))[0] ?? '');
  await cache.keepJobs(ref, jobs);
  expect(await cache.jobs(ref)).toBeUndefined();
  await cache.evict();
  await cache.keepJobs(ref, jobs);
  expect(await cache.jobs(ref)).toMatchObject(jobs);
});

test('a deleted log is removed for every token, and nothing else is', async () => {
  const { cache, folder, with: create } = await useCache();
  const other = create({ token: 'other' });
  for (const each of [cache, other]) await keep(each, 'gone');
  await keep(cache, 'stays', 'two');
  await dropLog(folder, baseUrl, ref);
  expect([await read(cache), await read(other), await read(cache, 'two')]).toEqual([
    ...[undefined, undefined, 'stays'],
  ]);
});

test('revoking a token removes what it has read', async () => {
  const { cache, folder, with: create } = await useCache();
  const other = create({ token: 'other' });
  for (const each of [cache, other]) await keep(each, 'text');
  await dropAccount(folder, { baseUrl, token: 'secret' });
  expect([await read(cache), await read(other)]).toEqual([undefined, 'text']);
});

test('keeps only the members that identify jobs', async () => {
  const { cache } = await useCache();
  await cache.keepJobs(ref, [{ id: 'one', name: 'test', command: 'echo $SECRET' }]);
  expect(await cache.jobs(ref)).toEqual([{ id: 'one', name: 'test' }]);
  expect(await cache.jobs({ ...ref, number: 8 })).toBeUndefined();
});
