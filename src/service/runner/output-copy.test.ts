import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { copyOutput, createOutputMarks, untilSilent } from './output-copy.ts';
import { manualTimers } from '../../../test/support/job.ts';

test('output left in the pipe follows what a slow log delayed', async () => {
  const output = new PassThrough({ highWaterMark: 1 << 24 });
  let written = '';
  let goOn = (): void => undefined;
  const slow = new Promise<void>((resolve) => (goOn = resolve));
  const sink = async (chunk: Buffer): Promise<void> => {
    await slow;
    written += chunk.toString();
  };
  const rest = (): Buffer => Buffer.from('c');
  const copy = copyOutput(
    { input: -1, output, rest, close: () => undefined },
    sink,
    () => undefined,
  );
  output.write('a');
  await setImmediate();
  output.write('a'.repeat(2 << 20));
  await setImmediate();
  output.write('b');
  await setImmediate();
  expect(output.isPaused()).toBe(true);
  const done = copy.sync();
  goOn();
  await done;
  expect(written.replaceAll(/a+/g, 'a')).toBe('abc');
});

const wholes = (marks: ReturnType<typeof createOutputMarks>, chunks: readonly Buffer[]) => {
  const taken = chunks.map((chunk) => marks.take(chunk));
  for (const { reached } of taken) for (const done of reached) done();
  return Buffer.concat(taken.map(({ bytes }) => bytes)).toString();
};

test('removes a marker wherever it is split', () => {
  const length = createOutputMarks().expect(() => undefined).length;
  for (let at = 0; at <= length; at++) {
    const marks = createOutputMarks();
    let count = 0;
    const all = Buffer.concat([Buffer.from('a'), marks.expect(() => count++), Buffer.from('b')]);
    expect(wholes(marks, [all.subarray(0, at + 1), all.subarray(at + 1)])).toBe('ab');
    expect(count).toBe(1);
  }
});

test('removes a late marker while waiting for another', () => {
  const marks = createOutputMarks();
  const reached: string[] = [];
  const late = marks.expect(() => reached.push('late'));
  const next = marks.expect(() => reached.push('next'));
  expect(wholes(marks, [Buffer.from('a'), late, Buffer.from('b'), next])).toBe('ab');
  expect(reached).toEqual(['late', 'next']);
});

test('does not delay output that is not a marker', () => {
  const marks = createOutputMarks();
  marks.expect(() => undefined);
  const end = Buffer.from(`the end without a newline, ${'x'.repeat(100)}`);
  expect(wholes(marks, [end])).toBe(end.toString());
});

/** The observable state of an output copy, and whether it is still awaited. */
function waitFor({ isWriting = false } = {}) {
  const timers = manualTimers();
  let reached = (): void => undefined;
  const copy = {
    ...{ pieces: 0, isWriting },
    sync: () => new Promise<void>((resolve) => (reached = resolve)),
  };
  let isOver = false;
  void untilSilent(timers, copy).then(() => (isOver = true));
  const seconds = async (count: number): Promise<boolean> => {
    for (let second = 0; second < count; second++) {
      timers.move(1000);
      for (let turn = 0; turn < 4; turn++) await setImmediate();
    }
    return isOver;
  };
  return { copy, seconds, reached: () => reached() };
}

test('waits as long as output keeps arriving', async () => {
  const { copy, seconds, reached } = waitFor();
  for (let round = 0; round < 20; round++) {
    copy.pieces++;
    expect(await seconds(4)).toBe(false);
  }
  reached();
  expect((await seconds(0)) || (await seconds(1))).toBe(true);
});

test('waits as long as a slow disk needs', async () => {
  const { copy, seconds } = waitFor({ isWriting: true });
  expect(await seconds(100)).toBe(false);
  copy.isWriting = false;
  expect(await seconds(10)).toBe(true);
});

test('stops when there is no more output', async () => {
  const { seconds } = waitFor();
  expect(await seconds(4)).toBe(false);
  expect(await seconds(6)).toBe(true);
});
