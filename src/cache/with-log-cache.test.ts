import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Context } from '../context.ts';
import type { Response } from '../http/transport.ts';
import { withLogCache } from './with-log-cache.ts';

const ref = { org: 'acme', pipeline: 'web', number: 7, job: 'one' };
const text = 'one\ntwo\nlast\n';

/** A context whose service sends this response once. */
async function useContext(status: number, contentRange: string | undefined): Promise<Context> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-cache-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const body = Readable.from([Buffer.from(text)]);
  const headers = { 'content-type': 'text/plain', 'content-range': contentRange };
  const responses = [{ status, headers, body }];
  const logText = () => {
    const response = responses.shift();
    return response ? Promise.resolve(response) : Promise.reject(new Error('sent again'));
  };
  const get = () => Promise.resolve({ jobs: [{ id: 'one', finished_at: '2026-11-20T10:00:00Z' }] });
  const client = { builds: { get }, jobs: { logText } };
  return {
    ...{ settings: { cache: true, baseUrl: 'https://ci.example', token: 'secret' } },
    ...{
      env: { CICTL_CACHE_DIR: folder },
      clock: { now: () => Date.parse('2026-11-20T11:00:00Z') },
    },
    ...{ client: () => Promise.resolve(client), messages: { debug: () => undefined } },
  } as unknown as Context;
}

async function readAll({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test.each([
  [200, undefined],
  [206, 'bytes 0-12/13'],
])('after a whole log with status %i, reads its end from the cache', async (status, range) => {
  const context = withLogCache(await useContext(status, range), { offline: false });
  const { builds, jobs } = await context.client();
  await builds.get(ref);
  expect(await readAll(await jobs.logText(ref, { range: 'bytes=-99' }))).toBe(text);
  const end = await jobs.logText(ref, { range: 'bytes=-5' });
  expect([end.status, end.headers['content-range']]).toEqual([206, 'bytes 8-12/13']);
  expect(await readAll(end)).toBe('last\n');
});

test('does not cache a part of a log', async () => {
  const context = withLogCache(await useContext(206, 'bytes 7-19/20'), { offline: false });
  const { builds, jobs } = await context.client();
  await builds.get(ref);
  await readAll(await jobs.logText(ref, { range: 'bytes=-13' }));
  await expect(jobs.logText(ref, { range: 'bytes=-5' })).rejects.toThrow('sent again');
});
