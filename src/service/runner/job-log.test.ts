import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFolder } from '../../../test/support/job.ts';
import { openJobLog, createMarker } from './job-log.ts';

test.skipIf(!existsSync('/dev/full'))('names the file that a full disk prevents', async () => {
  const log = openJobLog({ logFile: '/dev/full', maxLog: 100 }, [], () => 0);
  await expect(log.line('one')).rejects.toThrow(/^cannot write its log: ENOSPC: /);
  await log.close();
});

test.each([
  ['whole lines', ['one\n', 'two\nthree\n', 'four\n'], 'one\ntwo\n'],
  ['a part of a line', ['one', 'twothreefour'], 'onetwothree\x1b\\\n'],
  ['nothing of a line', ['1234567890\n', 'two\n'], '1234567890\n'],
])('reports the limit of a log after %s', async (_, chunks, kept) => {
  const logFile = join(useFolder(), 'log');
  const mark = '\x1b_bk;t=0\x07';
  const maxLog = 11 + mark.length * (kept.match(/\n/g) ?? []).length;
  const log = openJobLog({ logFile, maxLog }, [], () => 0);
  for (const chunk of chunks) await log.write(Buffer.from(chunk));
  await log.line('dropped too');
  await log.close();
  const text = readFileSync(logFile, 'utf8').replaceAll(mark, '');
  expect(text).toBe(
    `${kept}cictl: the log reached its limit of ${maxLog} bytes; the rest of the output was dropped\n`,
  );
});

test('a log of exactly the limit is complete', async () => {
  const logFile = join(useFolder(), 'log');
  const log = openJobLog({ logFile, maxLog: '\x1b_bk;t=0\x07one\n'.length }, [], () => 0);
  await log.write(Buffer.from('one\n'));
  await log.close();
  expect(readFileSync(logFile, 'utf8')).toBe('\x1b_bk;t=0\x07one\n');
});

test('a line has the time of its first byte, however it is split', () => {
  let now = 1;
  const mark = createMarker(() => now++);
  const parts = ['a', 'b\n', 'c\n\nd\r', 'e\r', '\n', '', 'f'].map((part) =>
    mark(Buffer.from(part))
      .toString()
      .replaceAll(/\x1b_bk;t=(\d+)\x07/g, '<$1>'),
  );
  expect(parts).toEqual(['<1>a', 'b\n', '<3>c\n<3>\n<3>d\r', 'e\r', '\n', '', '<7>f']);
});
