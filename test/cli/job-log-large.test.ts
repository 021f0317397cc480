/**
 * Checks whether a large log may be cached while it is downloading, so that nothing is written in
 * vain.
 */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { leadTo } from '../support/against.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const half = Buffer.alloc(2 * 1024 * 1024, `${'x'.repeat(99)}\n`);
const hour = 3_600_000;

test.each<[string, string | null, number]>([
  ['one that has ended', new Date(Date.now() - hour).toISOString(), 1],
  ['one that still runs', null, 0],
])('a large log of %s is complete, and cached or not', async (_, finished_at, kept) => {
  const url = await service({ number: 7, jobs: [{ id, type: 'script', finished_at }] });
  const home = await useHome();
  const args = ['job', 'log', `acme/web/7#${id}`, '--format', 'raw'];
  const { exitCode, stdout } = await cictl(args, { home, env: leadTo(url) });
  expect({ exitCode, size: stdout.length }).toEqual({ exitCode: 0, size: 2 * half.length });
  const files = await readdir(join(home.cacheDir, 'logs'), { recursive: true });
  expect(files.filter((name) => /\.(log|part)$/.test(name))).toHaveLength(kept);
});

/** Sends the second half of the log only after the job was requested. */
async function service(build: object): Promise<string> {
  let log: ServerResponse | undefined;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/log.txt') === true) {
      log = response.writeHead(200, { 'content-type': 'text/plain' });
      log.write(half);
    } else {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(build));
      log?.end(half);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
