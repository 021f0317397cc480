import { expect, test } from 'vitest';
import { createOutputMarks } from './output-marks.ts';

const wholes = (marks: ReturnType<typeof createOutputMarks>, chunks: readonly Buffer[]) => {
  const taken = chunks.map((chunk) => marks.take(chunk));
  for (const { reached } of taken) for (const done of reached) done();
  return Buffer.concat(taken.map(({ bytes }) => bytes)).toString();
};

test('a mark is taken out wherever it is split', () => {
  const length = createOutputMarks().expect(() => undefined).length;
  for (let at = 0; at <= length; at++) {
    const marks = createOutputMarks();
    let count = 0;
    const all = Buffer.concat([Buffer.from('a'), marks.expect(() => count++), Buffer.from('b')]);
    expect(wholes(marks, [all.subarray(0, at + 1), all.subarray(at + 1)])).toBe('ab');
    expect(count).toBe(1);
  }
});

test('one that comes late, when another is awaited already, is taken out too', () => {
  const marks = createOutputMarks();
  const reached: string[] = [];
  const late = marks.expect(() => reached.push('late'));
  const next = marks.expect(() => reached.push('next'));
  expect(wholes(marks, [Buffer.from('a'), late, Buffer.from('b'), next])).toBe('ab');
  expect(reached).toEqual(['late', 'next']);
});

test('what is no mark is not held back', () => {
  const marks = createOutputMarks();
  marks.expect(() => undefined);
  const end = Buffer.from(`the end without a newline, ${'x'.repeat(100)}`);
  expect(wholes(marks, [end])).toBe(end.toString());
});
