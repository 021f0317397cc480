import { expect, test } from 'vitest';
import { timestampKinds, type TimestampKind } from './format-time.ts';
import { timestamps } from './timestamps.ts';

const show = (kind: TimestampKind, ...pushes: string[]): string => {
  const stage = timestamps(kind, { first: undefined });
  return pushes.map((lines) => stage.push(lines)).join('');
};

const mark = (time: number): string => `\x1b_bk;t=${time}\x07`;
const start = Date.UTC(2026, 10, 20, 10, 0, 0, 7);

test('lines of the same second have their own times, to the millisecond', () => {
  const times = [0, 3, 992, 993, 1000, -1, -8, 3_600_000].map((after) => start + after);
  const lines = times.map((time) => `${mark(time)}a\n`).join('');
  expect(show('utc', lines)).toBe(times.map((t) => `${new Date(t).toISOString()} a\n`).join(''));
  expect(show('elapsed', lines).split(' a\n')).toEqual([
    ...['00:00:00.000', '00:00:00.003', '00:00:00.992', '00:00:00.993', '00:00:01.000'],
    ...['-00:00:00.001', '-00:00:00.008', '01:00:00.000', ''],
  ]);
});

const forms: Record<string, (time: number, text: string) => string> = {
  'another end': (time, text) => `\x1b_bk;t=${time}\x1b\\${text}`,
  'another key': (time, text) => `\x1b_bk;x=1;t=${time}\x07${text}`,
  'the middle of a line': (time, text) => `${text.slice(0, 1)}${mark(time)}${text.slice(1)}`,
  'two marks': (time, text) => `${mark(time)}${text}${mark(time)}`,
  'a mark that says nothing first': (time, text) => `\x1b_bk;x=1\x07${mark(time)}${text}`,
};

test.each(
  timestampKinds.flatMap((kind) => Object.keys(forms).map((form) => [kind, form] as const)),
)('%s: %s gives the same as the usual timestamp', (kind, form) => {
  const write = forms[form] ?? forms['two marks'];
  const afters = [0, 5, 1000, -3, 0, 86_400_000, 8e13];
  const log = (isUsual: (line: number) => boolean): string =>
    afters
      .map((after, line) => {
        const text = `text ${line}\x1b[31m`;
        const marked = isUsual(line) ? mark(start + after) + text : write?.(start + after, text);
        return `${marked}\nunmarked\n`;
      })
      .join('');
  const usual = show(
    kind,
    log(() => true),
  );
  expect(
    show(
      kind,
      log(() => false),
    ),
  ).toBe(usual);
  expect(
    show(
      kind,
      log((line) => line % 2 === 0),
    ),
  ).toBe(usual);
});

test('drops a malformed timestamp, and one with nothing after it', () => {
  expect(show('utc', `${mark(99_999_999_999_999_999)}a\n`)).toBe(' a\n');
  expect(show('utc', `a\n`, mark(start))).toBe(' a\n');
});

test('the chunks of one line have one time', () => {
  const stamp = `${new Date(start).toISOString()} `;
  expect(
    show('utc', `${mark(start)}one `, `${mark(start + 1)}two `, `three\n${mark(start)}b\n`),
  ).toBe(`${stamp}one two three\n${stamp}b\n`);
});
