/**
 * `builds report` with a service that does not support ranges: complete logs arrive, but only their
 * ends are kept.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useHome } from '../support/home.ts';
import { startCictl } from '../support/cli.ts';

const block = Buffer.alloc(1024 * 1024, `${'x'.repeat(63)}\n`);
const blocks = 150;
const ids = ['a', 'b', 'c', 'd', 'e', 'f'];

const jobs = ids.map((id) => ({
  ...{ id, type: 'script', name: id, step_key: id, state: 'failed', exit_status: 1 },
  ...{ created_at: '2026-11-20T10:00:00Z', started_at: '2026-11-20T10:00:01Z' },
  finished_at: '2026-11-20T10:00:09Z',
}));

test.skipIf(!existsSync('/proc/self/status'))(
  'memory stays flat, and each log is requested once',
  async () => {
    const home = await useHome();
    const asked: string[] = [];
    let sent = 0;
    let peak = 0;
    const send = async (out: ServerResponse): Promise<void> => {
      out.writeHead(200, { 'content-type': 'text/plain' });
      for (let at = 0; at < blocks; at++) {
        if (!out.write(block)) await once(out, 'drain');
        sent += block.length;
      }
      // The process is still running and waits for this response.
      peak = Math.max(peak, await largestMemory(child.pid));
      out.end('+++ Tests\nError: expected 4, got 5\n');
    };
    const server = createServer(({ url = '' }, out) => {
      if (url.endsWith('/log.txt')) {
        asked.push(url);
        void send(out);
        return;
      }
      const body = url.includes('/annotations') ? [] : { number: 7, state: 'failed', jobs };
      out.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const CICTL_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { CICTL_BASE_URL, CICTL_TOKEN: 'token-of-a-test' };
    const child = startCictl(
      ['builds', 'report', 'acme/web/7', '--no-cache', '-O', 'r.html'],
      home,
      { env },
    );
    await child;
    const html = await readFile(join(home.cwd, 'r.html'), 'utf8');
    expect(html.match(/<mark>.*?expected 4, got 5/g)).toHaveLength(ids.length);
    expect(html.match(/Showing only the last/g)).toHaveLength(ids.length);
    expect(html.length).toBeLessThan(6 * 1024 * 1024);
    expect(asked).toHaveLength(ids.length);
    expect(sent).toBe(ids.length * blocks * block.length);
    // 900 MB arrived, four logs at a time.
    expect(peak).toBeGreaterThan(30);
    expect(peak).toBeLessThan(450);
  },
);

/** The peak memory of a process so far, in megabytes. */
async function largestMemory(pid = 0): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1000;
}
