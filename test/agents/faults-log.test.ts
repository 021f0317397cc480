/** Log chunks that are repeated, overlapping, out of order, too long or missing. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { register, takeJob, useBuild } from './faults-agent.ts';
import { sampled } from '../support/full.ts';

async function useJob() {
  const { service, build } = await useBuild(['true']);
  const job = await takeJob(await register(service));
  return { job, log: () => build.log(job.id), read: () => build.read() };
}

test('stores each byte once for chunks in any order, repeated or overlapping', async () => {
  const { job, log } = await useJob();
  const pieces = [
    [3, 12, 'three\r\n'],
    [1, 0, 'one\r\n'],
    [1, 0, 'one\r\n'],
    [2, 3, '\r\ntwo\r\n'],
    [2, 5, 'two\r\n\r\n'],
    [3, 12, 'three\r\n'],
  ] as const;
  for (const [sequence, offset, text] of pieces)
    expect((await job.chunk(sequence, offset, text)).status).toBeLessThan(300);
  expect(await log()).toBe('one\r\ntwo\r\n\r\nthree\r\n');
});

test('readers see no gaps while a chunk is missing', async () => {
  const { job, log } = await useJob();
  await job.chunk(2, 5, 'second\n');
  await job.chunk(3, 12, 'third\n');
  expect(await log()).toBe('');
  await job.chunk(1, 0, 'first');
  expect(await log()).toBe('firstsecond\nthird\n');
});

test('concurrent chunks of a log are in their places', async () => {
  const { job, log } = await useJob();
  const lines = Array.from({ length: 40 }, (_, n) => `line ${String(n).padStart(3, '0')}\n`);
  const order = lines.map((_, n) => (n * 17) % lines.length);
  await Promise.all(order.map((n) => job.chunk(n + 1, n * 9, lines[n] ?? '')));
  expect(await log()).toBe(lines.join(''));
});

test('the log has a chunk that arrives after the job finished', async () => {
  const { job, log, read } = await useJob();
  await job.chunk(1, 0, 'one\n');
  expect((await job.finish()).status).toBe(200);
  expect((await job.chunk(2, 4, 'two\n')).status).toBeLessThan(300);
  expect(await log()).toBe('one\ntwo\n');
  expect((await read()).jobs[0]?.state).toBe('passed');
});

test('drops a chunk beyond the limit, and reports that in the log', async () => {
  const { job, log } = await useJob();
  await job.chunk(1, 0, 'one\n');
  const beyond = await job.chunk(2, job.log_max_size_bytes, 'x\n');
  expect(beyond.status).toBe(200);
  expect((await job.finish()).status).toBe(200);
  expect(await log()).toMatch(/^one\n[^]*cictl: the log reached its limit of 1 GiB; .*dropped\n$/);
});

sampled.each([
  ['sequence=0&offset=0&size=4', 'one\n'],
  ['sequence=-1&offset=0&size=4', 'one\n'],
  ['sequence=banana&offset=0&size=4', 'one\n'],
  ['sequence=1&offset=-4&size=4', 'one\n'],
  ['sequence=1&offset=1e3&size=4', 'one\n'],
  ['sequence=1&offset=99999999999999999999&size=4', 'one\n'],
  ['sequence=1&offset=0&size=5', 'one\n'],
  ['sequence=1&offset=0&size=3', 'one\n'],
  ['sequence=1&offset=0', 'one\n'],
  ['', 'one\n'],
  // Small when compressed, large when decompressed.
  ['sequence=1&offset=0&size=100000000', 'x'.repeat(100_000_000)],
  ['sequence=1&offset=0&size=4', 'x'.repeat(100_000_000)],
])('a piece that says %s is refused', async (query, text) => {
  const { job, log } = await useJob();
  const { status } = await job.call('POST', `/chunks?${query}`, { bytes: gzipSync(text) });
  expect([query, status >= 400 && status < 500]).toEqual([query, true]);
  expect(await log()).toBe('');
  expect((await job.chunk(1, 0, 'one\n')).status).toBeLessThan(300);
  expect(await log()).toBe('one\n');
});

test('rejects a chunk that is not compressed as declared', async () => {
  const { job, log } = await useJob();
  const bytes = Buffer.from('one\n');
  const reply = await job.call('POST', '/chunks?sequence=1&offset=0&size=4', { bytes });
  expect(Math.floor(reply.status / 100)).toBe(4);
  const cut = gzipSync('one\n'.repeat(100)).subarray(0, 20);
  const second = await job.call('POST', '/chunks?sequence=1&offset=0&size=400', { bytes: cut });
  expect(Math.floor(second.status / 100)).toBe(4);
  expect(await log()).toBe('');
});
