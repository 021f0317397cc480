import { expect, test } from 'vitest';
import { corpus } from '../../test/log/corpus.ts';
import { everySplit, feed } from '../../test/log/split.ts';
import { toBytes, toText } from './text.ts';
import { createLogPipeline, type LogView } from './log-pipeline.ts';

const mark = (time: number): string => `\x1b_bk;t=${time}\x07`;

const view = async (log: string, wanted: LogView): Promise<string> =>
  toText(feed(await createLogPipeline(wanted), toBytes(log)));

const lines = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const text = { format: 'text' } as const;
const ansi = { format: 'ansi' } as const;
const raw = { format: 'raw' } as const;

test.each<[LogView, string]>([
  [{ ...text, head: 2 }, 'one\ntwo\n'],
  [{ ...text, head: 0 }, ''],
  [{ ...text, head: 99 }, lines],
  [{ ...text, tail: 2 }, 'five\nsix\n'],
  [{ ...text, tail: 0 }, ''],
  [{ ...text, tail: 99 }, lines],
  [{ ...text, head: 4, tail: 1 }, 'four\n'],
  [{ ...text, grep: { pattern: /o/ } }, 'one\ntwo\nfour\n'],
  [{ ...text, grep: { pattern: /^.{3}$/ } }, 'one\ntwo\nsix\n'],
  [{ ...text, grep: { pattern: /o/, invert: true } }, 'three\nfive\nsix\n'],
  [{ ...text, grep: { pattern: /two|six/, after: 1 } }, 'two\nthree\n--\nsix\n'],
  [{ ...text, grep: { pattern: /two|six/, before: 1 } }, 'one\ntwo\n--\nfive\nsix\n'],
  [{ ...text, grep: { pattern: /two|five/, before: 1, after: 1 } }, lines],
  [{ ...text, grep: { pattern: /one|six/, after: 1 } }, 'one\ntwo\n--\nsix\n'],
  [{ ...text, grep: { pattern: /o/ }, tail: 1 }, 'four\n'],
  [{ ...text, grep: { pattern: /none/ } }, ''],
])('six lines give %j', async (wanted, expected) => {
  expect(await view(lines, wanted)).toBe(expected);
});

test.each<[string, LogView, string]>([
  ['a\nb', { ...text, head: 2 }, 'a\nb'],
  ['a\nb', { ...text, tail: 1 }, 'b'],
  ['a\r\nb\xff\r\n', { ...raw, tail: 1 }, 'b\xff\r\n'],
  ['\x1b[31ma\x1b[0m\r\nb\r\n', { ...raw, grep: { pattern: /^a$/ } }, '\x1b[31ma\x1b[0m\r\n'],
  ['\x1b[31mb\x1b[0ma\n', { ...ansi, grep: { pattern: /^ba/ } }, '\x1b[31mb\x1b[0ma\n'],
  ['\x1b[31mred\n', ansi, '\x1b[31mred\n\x1b[0m'],
  ['\x1b[31mred\nstill\n', { ...ansi, tail: 1 }, '\x1b[31mstill\x1b[0m\n'],
  ['\x1b[31mred\nstill\x1b[0m\n', { ...ansi, head: 1 }, '\x1b[31mred\x1b[0m\n'],
])('%j with %j gives the expected lines', async (log, wanted, expected) => {
  expect(feed(await createLogPipeline(wanted), log)).toBe(expected);
});

test('--grep reads the text as UTF-8', async () => {
  expect(await view('é\nee\n', { ...text, grep: { pattern: /^.$/u } })).toBe('é\n');
});

const sections = 'before\n--- a\n1\n+++ b\n2\n~~~ a\n3\n';

test.each([
  ['a', '--- a\n1\n~~~ a\n3\n'],
  ['b', '+++ b\n2\n'],
  ['c', ''],
])('gives the group %s', async (name, expected) => {
  expect(await view(sections, { ...text, group: (one) => one === name })).toBe(expected);
});

test.each([
  ['---\tx\n', true],
  ['\x1b[1m--- x\x1b[0m\n', true],
  [`${mark(1)}+++ x\r\n`, true],
  [' --- x\n', false],
  ['---x\n', false],
  ['---\n', false],
  [`--- ${'x'.repeat(495)}\n`, true],
  [`--- ${'x'.repeat(496)}\n`, false],
  [`--- ${'é'.repeat(495)}\n`, true],
])('treats %j as a header: %j', async (log, is) => {
  for (const format of ['text', 'raw', 'ansi'] as const) {
    expect((await view(log, { format, group: () => true })) !== '').toBe(is);
  }
});

const marked = `${mark(1_700_000_000_000)}a\n${mark(1_700_003_723_004)}b\nc\n`;

test.each([
  ['utc', '2023-11-14T22:13:20.000Z a\n2023-11-14T23:15:23.004Z b\n'],
  ['elapsed', '00:00:00.000 a\n01:02:03.004 b\n'],
] as const)('writes %s times before the lines', async (timestamps, expected) => {
  const width = expected.indexOf(' ');
  expect(await view(marked, { ...text, timestamps })).toBe(`${expected}${' '.repeat(width)} c\n`);
});

test('local times name the same instants', async () => {
  const [first = ''] = (await view(marked, { ...text, timestamps: 'local' })).split(' ');
  expect(first).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
  expect(Date.parse(first)).toBe(1_700_000_000_000);
});

test('elapsed counts from the start of the log, whatever is printed of it', async () => {
  const wanted = { ...text, timestamps: 'elapsed', grep: { pattern: /b/ } } as const;
  expect(await view(marked, wanted)).toBe('01:02:03.004 b\n');
});

const body = (body: string): string => `\x1b_bk;${body}\x07`;

test.each([
  ['the first of several', `${body('t=1000')}a${body('t=2000')}b\n`, '00:00:01.000 ab\n'],
  ['with more keys', `${body('dt=5;t=1000;x=y')}a\n`, '00:00:01.000 a\n'],
  ['ended by ST', '\x1b_bk;t=1000\x1b\\a\n', '00:00:01.000 a\n'],
  ['not at the beginning', `a${body('t=1000')}b\n`, '00:00:01.000 ab\n'],
  ['after a malformed one', `${body('t=x')}${body('t=1000')}a\n`, '00:00:01.000 a\n'],
  [
    'counted from the one before',
    `${body('t=1000')}a\n${body('dt=500')}b\n`,
    '00:00:01.000 a\n00:00:01.500 b\n',
  ],
  [
    'counted from one inside of a line',
    `${body('t=1000')}a${body('dt=500')}\n${body('dt=500')}b\n`,
    '00:00:01.000 a\n00:00:02.000 b\n',
  ],
  [
    'counted over a redrawn line',
    `${body('t=1000')}1\r${body('t=2000')}2\r${body('t=3000')}3\n${body('dt=1')}b\n`,
    '00:00:01.000 3\n00:00:03.001 b\n',
  ],
  ['out of range', `${body('t=8640000000000001')}a\n`, ' a\n'],
  ['of another', '\x1b_other;t=1000\x07a\n', ' a\n'],
])('reads a timestamp %s', async (_, log, expected) => {
  const shown = await view(`${body('t=0')}\n${log}`, { ...text, timestamps: 'elapsed' });
  expect(shown).toBe(`00:00:00.000 \n${expected.replace(/^ /, ' '.repeat(13))}`);
});

const views: LogView[] = [
  { ...ansi, timestamps: 'utc', grep: { pattern: /e/, before: 1, after: 1 } },
  { ...text, timestamps: 'elapsed', tail: 2 },
  { ...raw, grep: { pattern: /e/i, invert: true } },
  { ...ansi, head: 2 },
  { ...raw, group: (name) => name.includes('o') },
];

test.each(Object.entries(corpus))('is the same however it is split: %s', async (_, log) => {
  for (const wanted of views) {
    const whole = feed(await createLogPipeline(wanted), log);
    for (const pieces of everySplit(log.slice(0, 100))) {
      expect(feed(await createLogPipeline(wanted), ...pieces, log.slice(100))).toBe(whole);
    }
  }
});

test('raw is identical to the input', async () => {
  for (const log of Object.values(corpus))
    expect(feed(await createLogPipeline(raw), log)).toBe(log);
  const long = `a\n${'\x1b]0;'.repeat(200_000)}${'é'.repeat(300_000)}\nb`;
  expect(feed(await createLogPipeline(raw), toBytes(long))).toBe(toBytes(long));
});

test('ansi contains only colors and text', async () => {
  for (const log of Object.values(corpus)) {
    const shown = await view(log, { ...ansi, timestamps: 'utc' });
    expect(shown.replace(/\x1b\[[0-9;:]*m/g, '')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
  }
});

const growing = { caughtUp: () => true };

test('prints a growing log line by line, and resets colors after each', async () => {
  const stage = await createLogPipeline({ ...ansi, growing });
  const push = (log: string): string => stage.push(Buffer.from(log, 'latin1'));
  const red = (line: string): string => `\x1b[31m${line}\x1b[0m`;
  expect([push('\x1b[31ma\n'), push('b'), push('\nc\x1b[0m'), stage.end()]).toEqual([
    `${red('a')}\n`,
    '',
    `${red('b')}\n`,
    red('c'),
  ]);
});

test('prints the last lines of a growing log first, then everything', async () => {
  let hasCaughtUp = false;
  const caughtUp = (): boolean => hasCaughtUp;
  const stage = await createLogPipeline({ ...text, tail: 1, growing: { caughtUp } });
  const push = (log: string): string => stage.push(Buffer.from(log, 'latin1'));
  const before = push('a\nb\n');
  hasCaughtUp = true;
  expect([before, push('c\n'), push('d\n'), stage.end()]).toEqual(['', 'c\n', 'd\n', '']);
});

test('resets colors once, at the end of a whole log', async () => {
  const stage = await createLogPipeline(ansi);
  expect(stage.push(Buffer.from('\x1b[31ma\nb\n')) + stage.end()).toBe('\x1b[31ma\nb\n\x1b[0m');
  expect(await view('\x1b[31ma\x1b[0m\n', ansi)).toBe('\x1b[31ma\x1b[0m\n');
  expect(await view('\x1b[31ma\nb\n', text)).toBe('a\nb\n');
  expect(await view('\x1b[31ma\nb\n', { ...text, grep: { pattern: /b/ } })).toBe('b\n');
});
