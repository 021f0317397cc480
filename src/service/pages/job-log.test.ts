import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLogs, type Logs } from '../store/logs.ts';
import { logOutline, jobLogView } from './job-log.ts';
import type { JobOfPage } from './job-of-page.ts';
import type { PageCall } from './page-call.ts';

/** Logs in a directory, and how many bytes of them were read. */
async function useLogs() {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-logs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const logs = openLogs(folder);
  const read = { bytes: 0 };
  const counting: Logs = {
    ...logs,
    read: (job, range) => {
      read.bytes += range.end - range.start;
      return logs.read(job, range);
    },
  };
  return { logs: counting, read, file: (job: string) => logs.file(job) };
}

const lines = (count: number): string => 'some line of a log\n'.repeat(count);

test('reads a log once, then only what was appended', async () => {
  const { logs, read, file } = await useLogs();
  expect(await logOutline(logs, 'a')).toBeUndefined();
  await writeFile(file('a'), lines(50_000));
  const [one, other] = await Promise.all([logOutline(logs, 'a'), logOutline(logs, 'a')]);
  expect([one?.lines, other?.lines, read.bytes]).toEqual([50_000, 50_000, 950_000]);
  await appendFile(file('a'), lines(10));
  expect((await logOutline(logs, 'a'))?.lines).toBe(50_010);
  expect(read.bytes).toBe(950_190);
});

test('serves other requests while reading a large log', async () => {
  const { logs, file } = await useLogs();
  await writeFile(file('a'), lines(200_000));
  let turns = 0;
  let isRead = false;
  const turn = (): void => {
    turns += 1;
    if (!isRead) setImmediate(turn);
  };
  turn();
  await logOutline(logs, 'a');
  isRead = true;
  // At least one per 64 KiB.
  expect(turns).toBeGreaterThan(58);
});

test('treats a log that was shortened or deleted as a new one', async () => {
  const { logs, file } = await useLogs();
  await writeFile(file('a'), lines(9));
  expect((await logOutline(logs, 'a'))?.lines).toBe(9);
  await writeFile(file('a'), 'other\n');
  expect((await logOutline(logs, 'a'))?.lines).toBe(1);
  await rm(file('a'));
  expect(await logOutline(logs, 'a')).toBeUndefined();
  await writeFile(file('a'), lines(3));
  expect((await logOutline(logs, 'a'))?.lines).toBe(3);
});

const log = Buffer.from(Array.from({ length: 1000 }, (_, at) => `line ${at + 1}\r\n`).join(''));

/** A log whose beginning takes longer to read than the limit. */
const slowLogs = {
  size: () => Promise.resolve(1e9),
  async *read(_: string, { start }: { start: number }) {
    if (start === 0) await new Promise(() => undefined);
    yield await Promise.resolve(log);
  },
};

test('shows the last lines of a large log while the rest is read', async () => {
  const call = {
    service: { logs: slowLogs },
    ...{ query: new URLSearchParams(), params: {} },
    api: { fetch: () => Promise.resolve(new Response('x')) },
  } as unknown as PageCall;
  const job = { job: { id: 'a' }, build: {}, path: '/j' } as JobOfPage;
  const { state, html, events, lines } = await jobLogView(call, job, 7);
  expect({ state, lines, events }).toEqual({
    ...{ state: 'reading', lines: 0 },
    events: '/j/events?last-event-id=0-7',
  });
  expect(html.match(/<div>/g)).toHaveLength(500);
  expect(html).toContain('<div>line 501</div>');
  expect(html.trimEnd()).toMatch(/<div>line 1000<\/div>$/);
});
