import { expect, test } from 'vitest';
import { feed } from '../../test/log/split.ts';
import { createLogPipeline, type LogView } from './log-pipeline.ts';
import { scanBytes } from './scan-bytes.ts';
import { stampLines } from './stamp-lines.ts';

const mark = (time: number | string, end = '\x07'): string => `\x1b_bk;t=${time}${end}`;
const start = 1_700_000_000_000;
const first = mark(start);

/** What is stamped of a log, and what is left of it. */
function stamped(log: string, { rows = 0, colours = false, from = 0 } = {}): string[] {
  const options = { keep: { marks: true, colours }, rows, stamp: (t: number) => `<${t - start}>` };
  const { stamped: part } = stampLines(scanBytes()(Buffer.from(log, 'latin1')), from, options);
  return [part.lines, log.slice(part.end), part.time < 0 ? '' : `${part.time - start}`];
}

const one = `${first}a\n`;

test.each([
  ['lines with a mark each', `${one}${mark(start + 5)}b\n`, '<0>a\n<5>b\n'],
  ['a line of a mark alone', `${one}${first}\n`, '<0>a\n<0>\n'],
  ['a line with sequences', `${first}\x1b[31mr\x1b[K\x1b]0;t\x07ed\x1b[m\n`, '<0>red\n'],
  ['a line that begins with them', `${first}\x1b[0m\x1b[Kb\x1b[0m\n`, '<0>b\n'],
  ['CRLF', `${first}a\r\n${first}b\r\r\n`, '<0>a\n<0>b\n'],
  ['tabs', `${first}a\tb\t\n`, '<0>a\tb\t\n'],
  ['what a program says of itself', `${first}a\x1b_x;t=1\x07b\n`, '<0>ab\n'],
])('stamps %s', (_, log, expected) => {
  expect(stamped(log)).toEqual([expected, '', `${expected.startsWith('<0>a\n<5>') ? 5 : 0}`]);
});

test('keeps colours', () => {
  const log = `${first}\x1b[31mred\x1b[K\x1b[0m\n`;
  expect(stamped(log, { colours: true })[0]).toBe('<0>\x1b[31mred\x1b[0m\n');
});

const odd = [
  ...['b\n', '\n', `b${first}\n`, ` ${first}b\n`, `${first}b${first}\n`, `${first}${first}b\n`],
  ...[mark(1), mark('170000000000'), mark('17000000000000'), mark('170000000000x')].map(
    (begin) => `${begin}b\n`,
  ),
  ...[mark('17000000000 0'), mark('/700000000000'), mark(':700000000000')].map((m) => `${m}b\n`),
  ...[mark(8_640_000_000_000_001), mark(start, '\x1b\\'), mark(`${start};x=1`)].map(
    (m) => `${m}b\n`,
  ),
  ...['\x1b_bk;dt=1\x07b\n', `\x1b_bk;t-${start}\x07b\n`, `\x1b_bk;u=${start}\x07b\n`],
  ...[`\x1b]bk;t=${start}\x07b\n`, `\x1b[K${first}b\n`, `${first}b\x1b_bk;x=1\x07\n`],
  ...[`${first}10%\r20%\n`, `${first}b\b\n`, `${first}b\x00\n`, `${first}b\x7f\n`],
  ...[`${first}\x1b[1Ab\n`, `${first}b\x1b[2K\n`, `${first}b\x1b[31\n`, `${first}b\x1b]0;t\n`],
  ...[`${first}\xc2\x9b1mb\n`, `${first}b`, first, `${first}b\x1b[31m`, `${first}b\r`],
];

test.each(odd)('goes no further than to %j', (line) => {
  expect(stamped(one + line)).toEqual(['<0>a\n', line, '0']);
  expect(stamped(line + one)).toEqual(['', line + one, '']);
});

const five = [0, 1, 2, 3, 4].map((after) => `${mark(start + after)}${after}\n`);

test.each([
  [0, 5],
  [1, 4],
  [4, 1],
  [5, 0],
  [9, 0],
])('leaves the last %i rows, of five', (rows, count) => {
  const expected = ['<0>0\n', '<1>1\n', '<2>2\n', '<3>3\n', '<4>4\n'].slice(0, count).join('');
  const last = count === 0 ? '' : `${count - 1}`;
  expect(stamped(five.join(''), { rows })).toEqual([expected, five.slice(count).join(''), last]);
  // So many above any other line, whatever comes behind it.
  const more = `${first}\x1b[4Ab\n${five.join('')}`;
  const rest = five.slice(count).join('') + more;
  expect(stamped(five.join('') + more, { rows })).toEqual([expected, rest, last]);
});

test('begins where it is to begin', () => {
  const log = `odd\n${five.join('')}`;
  expect(stamped(log, { from: 4, rows: 3 })).toEqual(['<0>0\n<1>1\n', five.slice(2).join(''), '1']);
  expect(stamped(log, { from: log.length })).toEqual(['', '', '']);
});

// Line by line none is far enough above the cursor to be stamped at once.
const times = (['utc', 'local', 'elapsed'] as const).map((timestamps) => ({ timestamps }));
const views: LogView[] = times.flatMap((kind) => [
  { ...kind, format: 'text' },
  { ...kind, format: 'ansi' },
  { ...kind, format: 'ansi', isFollowed: true },
  { ...kind, format: 'text', growing: { caughtUp: () => false } },
]);

const lines = (count: number, from = start): string =>
  Array.from({ length: count }, (_, line) => `${mark(from + line * 7)}line ${line}\n`).join('');
const hour = 3_600_000;

const logs: Record<string, string> = {
  plain: lines(450),
  'a distance behind lines': `${lines(150)}|${lines(300)}\x1b_bk;dt=5\x07b\nc\n`,
  'blanks behind a wider time': `${lines(1)}|${lines(200, start + 99 * hour)}${lines(150, start + 101 * hour)}b\n`,
  'blanks before a wider time': `${lines(150)}${'blank\n'.repeat(120)}|${lines(300, start + 101 * hour)}b\n`,
  'times that go back': `${lines(150)}|${lines(300, start - hour)}b\n`,
  'a cursor that goes up': `${lines(150)}|${lines(300)}${first}\x1b[90Aup\x1b[K\n${lines(250)}`,
  'a cursor that goes up in the last lines': `${lines(150)}|${lines(300)}${first}\x1b[90Aup\x1b[K\n${lines(40)}`,
  'a cursor that goes up in the last line': `${lines(150)}|${lines(300)}${first}\x1b[99Aup\x1b[K\n`,
  'a cursor that goes up behind a block': `${lines(300)}|${first}\x1b[90Aup\n\n\n${lines(250)}`,
  'a colour written over': `${first}\x1b[31mred\r\x1b[0mr\x1b[32m\n|${lines(300)}b\x1b[0m\n`,
  'a colour that goes on': `${first}\x1b[31mred\n|${lines(300)}|${lines(300)}\n`,
  'a colour that changes': `${lines(1)}|${lines(150)}${first}\x1b[31mred\n${lines(150)}|a\rb\n${lines(200)}`,
  'a colour and a mark at the end': `${first}\x1b[31mred\n|${lines(300)}${first}`,
  'a line in pieces': `${first}${'x'.repeat(600_000)}|${'y'.repeat(300_000)}\n${lines(300)}|${lines(200)}`,
  'a last line in two': `${lines(200)}|${lines(200)}la|st\n|${lines(200)}`,
  'odd lines among others': odd.map((line) => `${lines(200)}${line}\n`).join('|'),
};

test.each(views)('is the same in blocks as line by line: %j', async (view) => {
  for (const [name, log] of Object.entries(logs)) {
    const whole = log.replaceAll('|', '');
    const byLine = feed(await createLogPipeline(view), ...(whole.match(/[^\n]*\n|[^\n]+/g) ?? []));
    const pieces = whole.match(/[^]{1,9973}/g) ?? [];
    for (const blocks of [[whole], log.split('|'), pieces])
      expect(feed(await createLogPipeline(view), ...blocks) === byLine, name).toBe(true);
  }
});

test('gives the times that the marks say', async () => {
  const text = feed(
    await createLogPipeline({ format: 'text', timestamps: 'utc' }),
    lines(200),
    lines(200),
  );
  const expected = Array.from(
    { length: 200 },
    (_, line) => `${new Date(start + line * 7).toISOString()} line ${line}\n`,
  ).join('');
  expect(text).toBe(expected + expected);
});
