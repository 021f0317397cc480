import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLogs, type Logs } from '../store/logs.ts';
import { logOutline } from './log-window.ts';

/** Logs of a folder, and how many bytes were read of them. */
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

test('a log is read once, and what is added to it', async () => {
  const { logs, read, file } = await useLogs();
  expect(await logOutline(logs, 'a')).toBeUndefined();
  await writeFile(file('a'), lines(50_000));
  const [one, other] = await Promise.all([logOutline(logs, 'a'), logOutline(logs, 'a')]);
  expect([one?.lines, other?.lines, read.bytes]).toEqual([50_000, 50_000, 950_000]);
  await appendFile(file('a'), lines(10));
  expect((await logOutline(logs, 'a'))?.lines).toBe(50_010);
  expect(read.bytes).toBe(950_190);
});

test('others have their turns while a large log is read', async () => {
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
  // One at least for each piece of 64 KiB.
  expect(turns).toBeGreaterThan(58);
});

test('a log that is shorter than it was, or was removed, is another one', async () => {
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
