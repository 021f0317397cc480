import { expect, test } from 'vitest';
import { corpus } from '../../test/log/corpus.ts';
import { everySplit, feed } from '../../test/log/split.ts';
import { sequences, scanBytes } from './sequences.ts';
import { settle, stampLines } from './settle.ts';
import { toBytes, toText } from './text.ts';
import { createLogPipeline, type LogView } from './log-pipeline.ts';
import { some, sampled } from '../../test/support/full.ts';

const settled = (log: string): string => toText(feed(settle(), toBytes(log)));
const coloured = (log: string): string => toText(feed(settle({ colours: true }), toBytes(log)));

test.each([
  ['plain lines', 'a\nb\n', 'a\nb\n'],
  ['no newline at the end', 'a\nb', 'a\nb'],
  ['CRLF', 'a\r\nb\r\r\n', 'a\nb\n'],
  ['progress', '10%\r100%\n', '100%\n'],
  ['a shorter line over a longer one', 'abcdef\rxy\n', 'xycdef\n'],
  ['progress without newline', 'a 1\ra 2\ra 3', 'a 3'],
  ['erase to the end', 'abcdef\r\x1b[Kxy\n', 'xy\n'],
  ['erase to the start', 'abcdef\b\b\x1b[1Kx\n', '    xf\n'],
  ['erase the line', 'abc\x1b[2Kd\n', '   d\n'],
  ['backspace', 'abc\b\bx\n', 'axc\n'],
  ['a wide character under two narrow ones', '日本\rab\n', 'ab本\n'],
  ['a wide character cut in half', 'a日b\rxy\n', 'xy b\n'],
  ['a combining character', 'e\u0301x\ry\n', 'yx\n'],
  ['an emoji', '🚀 up\r👍\n', '👍 up\n'],
  ['tabs', 'a\tb\n', 'a\tb\n'],
  ['columns', 'abc\x1b[1GX\x1b[5GY\n', 'Xbc Y\n'],
  ['deleted and inserted cells', 'abcdef\r\x1b[2P\x1b[@X\n', 'Xcdef\n'],
  ['saved cursor', 'ab\x1b7cd\x1b8X\n', 'abXd\n'],
  ['two lines up', 'one\ntwo\n\x1b[2Anew\n\nend\n', 'new\ntwo\nend\n'],
  ['up and erase below', 'a\nb\nc\n\x1b[2A\x1b[Jnew\n', 'a\nnew\n'],
  ['up, over the beginning', 'a\nb\n\x1b[99Ax\n', 'x\nb\n'],
  ['an address is below', 'abc\ndef\n\x1b[1;2HX\x1b[2;3HY\n', 'abc\ndef\n X\n  Y\n'],
  ['a cleared screen keeps the log', 'a\n\x1b[H\x1b[2J\x1b[3Jb\n', 'a\nb\n'],
  ['a window title', '\x1b]0;title\x07text\n', 'text\n'],
  ['an unfinished title is shown', 'a\x1b]0;title\nb\n', 'a0;title\nb\n'],
  ['a link', '\x1b]8;;http://x\x07here\x1b]8;;\x07\n', 'here\n'],
  ["the log's own link", "\x1b]1339;url='http://x';content='a;b'\x07\n", 'a;b\n'],
  ["the log's own link, without content", '\x1b]1339;url=http://x\x07\n', 'http://x\n'],
  ['a picture', '\x1b]1338;url=http://x;alt="a cat"\x07\n', 'a cat\n'],
  ['a picture inside', '\x1b]1337;File=name=Y2F0LnBuZw==;inline=1:AAAA\x07\n', 'cat.png\n'],
  ['a time mark', '\x1b_bk;t=1\x07a\x1b_bk;t=2;dt=1\x1b\\b\n', 'ab\n'],
  ['colours', '\x1b[1;31mred\x1b[0m\n', 'red\n'],
  ['controls', 'a\x00\x07\x0b\x0c\x7f\u0085b\n', 'ab\n'],
])('settles %s', (_, log, expected) => {
  expect(settled(log)).toBe(expected);
});

test('keeps colors unchanged if nothing is overwritten', () => {
  expect(coloured('\x1b[1;31mred\x1b[m\x1b[?25l\x1b]0;t\x07 \x1b[>4;2m\n')).toBe(
    '\x1b[1;31mred\x1b[m \n',
  );
});

test.each([
  ['written over', '\x1b[31mred\x1b[0m\r\x1b[32mg\x1b[0m\n', '\x1b[32mg\x1b[0;31med\x1b[0m\n'],
  ['over several lines', '\x1b[31ma\nb\rc\nd\x1b[0m\n', '\x1b[31ma\nc\x1b[0m\n\x1b[31md\x1b[0m\n'],
  [
    'in a line gone back to',
    '\x1b[31ma\n\x1b[0mb\n\x1b[2A\x1b[32mX\n\ne',
    '\x1b[32mX\x1b[0m\nb\n\x1b[32me\x1b[0m',
  ],
])('keeps colors %s', (_, log, expected) => {
  expect(coloured(log)).toBe(expected);
});

test('prints a growing log line by line unless a line is pending', () => {
  const stage = settle({}, 1);
  const push = (log: string): string => stage.push(Buffer.from(log, 'latin1'));
  expect([push('a\nb'), push('\x1b[5A\rc\n'), push('d'), stage.end()]).toEqual([
    'a\n',
    'c\n',
    '',
    'd',
  ]);
});

test('bytes that are not UTF-8 become U+FFFD', () => {
  expect(toText(feed(settle(), 'a\xffb\xe2\x82\n'))).toBe('a\ufffdb\ufffd\n');
});

const keeps = [{}, { colours: true }, { colours: true, marks: true, links: true }];

sampled.each(Object.entries(corpus))('is the same however it is split: %s', (_, log) => {
  for (const keep of keeps) {
    const whole = feed(settle(keep), log);
    for (const pieces of everySplit(log)) expect(feed(settle(keep), ...pieces)).toBe(whole);
  }
});

test('the corpus is large enough', () => {
  expect(Object.keys(corpus).length).toBeGreaterThanOrEqual(60);
});

test.each(Object.entries(corpus))('leaves only text: %s', (_, log) => {
  const bytes = feed(settle(), log);
  expect(toBytes(toText(bytes))).toBe(bytes);
  expect(toText(bytes)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
  const colours = toText(feed(settle({ colours: true }), log)).replace(/\x1b\[[0-9;:]*m/g, '');
  expect(colours).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
});

// NUL is invisible, but sends its line to the screen.
test.each(Object.entries(corpus))('the pattern and the screen agree: %s', (_, log) => {
  const played = log.replace(/^|\n(?=[^])/g, '$&\0');
  expect(feed(settle(), played)).toBe(feed(settle(), log));
});

// Random mixtures of what logs consist of, the same in every run.
const tokens = [
  ...['a', 'bc', '\n', '\n', '\r', '\r\n', '\b', '\t', '\0', '\x07', '\x7f', ' '],
  ...[
    '\x1b',
    '\x1b[',
    '\x1b]',
    '\x1b_',
    '\x1b\\',
    '\x9b',
    '\xc2',
    '\xc2\x9b',
    '\xc3\xa9',
    '\xe6\x97\xa5',
    '\xe2\x80\xae',
    '\xe2\x81\xa6',
    '\xd8\x9c',
    '\xe2\x80',
  ],
  ...[
    '\x1b[31m',
    '\x1b[m',
    '\x1b[K',
    '\x1b[1K',
    '\x1b[2A',
    '\x1b[B',
    '\x1b[3G',
    '\x1b[2J',
    '\x1b[J',
    '\x1b[1J',
    '\x1b[H',
    '\x1b[3;4f',
    '\x1b[2d',
    '\x1b[5B',
    '\x1b[E',
    '\x1b[F',
    '\x1b[3b',
    '\x1b[2L',
    '\x1b[M',
    '\x1b[2P',
    '\x1b[2@',
    '\x1b[2X',
    '\x1b[?1049h',
    '\x1b[?25;47l',
    '\x1bc',
    'x'.repeat(170),
    '\x1b]1337;File=name=YQ==;inline=1:AA\x07',
  ],
  ...[
    '\x1b]0;t\x07',
    '\x1b]8;;http://x\x07',
    '\x1b]8;;\x1b\\',
    '\x1b_bk;t=5\x07',
    '\x1b_bk;dt=5\x1b\\',
  ],
  ...[
    '\x1b(B',
    '\x1b7',
    '\x1b8',
    '\x1bM',
    '\x1b[?25l',
    '\x1b]1339;url=u\x07',
    '1',
    ';',
    'm',
    '\\',
    '8;',
  ],
];

function* mixtures(count: number): Generator<string> {
  let seed = 7;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  for (let index = 0; index < count; index++) {
    yield Array.from({ length: 1 + next(40) }, () => tokens[next(tokens.length)]).join('');
  }
}

test('mixtures give the same stripped, emulated, split and unfiltered', () => {
  for (const log of mixtures(some(1500))) {
    const whole = feed(settle(), log);
    expect(feed(settle(), log.replace(/^|\n(?=[^])/g, '$&\0')), JSON.stringify(log)).toBe(whole);
    const kept = feed(settle({ colours: true, marks: true, links: true }), log);
    expect(kept.replace(sequences, ''), JSON.stringify(log)).toBe(whole);
    for (const keep of keeps) {
      expect(feed(settle(keep), ...Array.from(log)), JSON.stringify(log)).toBe(
        feed(settle(keep), log),
      );
    }
  }
});

test('an endless single line keeps its text, however it is split', () => {
  const line = `${'é日x'.repeat(60_000)}\x1b[31mred\x1b[0m${'y'.repeat(300_000)}`;
  const log = `first\n${toBytes(line)}\nlast\n`;
  const whole = feed(settle(), log);
  expect(toText(whole)).toBe(`first\n${line.replaceAll(/\x1b\[\d+m/g, '')}\nlast\n`);
  const pieces = log.match(/[^]{1,4099}/g) ?? [];
  expect(feed(settle(), ...pieces)).toBe(whole);
});

test('an image larger than a chunk is replaced by its name', () => {
  const picture = `\x1b]1337;File=name=YQ==;inline=1:${'A'.repeat(700_000)}\x07`;
  expect(feed(settle(), `before ${picture}after\nlast\n`)).toBe('before a after\nlast\n');
});

test('progress in an endless line stays one line', () => {
  const steps = Array.from({ length: 30_000 }, (_, step) => `\rstep ${step} of many`).join('');
  expect(feed(settle(), `begin${steps}\nend\n`)).toBe('step 29999 of many\nend\n');
});

const mark = (time: number | string, end = '\x07'): string => `\x1b_bk;t=${time}${end}`;
const start = 1_700_000_000_000;
const first = mark(start);

/** The stamped part of a log, and the rest. */
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
])('timestamps %s', (_, log, expected) => {
  expect(stamped(log)).toEqual([expected, '', `${expected.startsWith('<0>a\n<5>') ? 5 : 0}`]);
});

test('keeps colors', () => {
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

test.each(odd)('reads no further than %j', (line) => {
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
])('drops the last %i of five rows', (rows, count) => {
  const expected = ['<0>0\n', '<1>1\n', '<2>2\n', '<3>3\n', '<4>4\n'].slice(0, count).join('');
  const last = count === 0 ? '' : `${count - 1}`;
  expect(stamped(five.join(''), { rows })).toEqual([expected, five.slice(count).join(''), last]);
  // Enough rows above any other line, whatever follows.
  const more = `${first}\x1b[4Ab\n${five.join('')}`;
  const rest = five.slice(count).join('') + more;
  expect(stamped(five.join('') + more, { rows })).toEqual([expected, rest, last]);
});

test('starts at the given position', () => {
  const log = `odd\n${five.join('')}`;
  expect(stamped(log, { from: 4, rows: 3 })).toEqual(['<0>0\n<1>1\n', five.slice(2).join(''), '1']);
  expect(stamped(log, { from: log.length })).toEqual(['', '', '']);
});

// Single lines are not far enough above the cursor to be stamped immediately.
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

test.each(views)('blocks give the same as lines: %j', async (view) => {
  for (const [name, log] of Object.entries(logs)) {
    const whole = log.replaceAll('|', '');
    const byLine = feed(await createLogPipeline(view), ...(whole.match(/[^\n]*\n|[^\n]+/g) ?? []));
    const pieces = whole.match(/[^]{1,9973}/g) ?? [];
    for (const blocks of [[whole], log.split('|'), pieces])
      expect(feed(await createLogPipeline(view), ...blocks) === byLine, name).toBe(true);
  }
});

test('reports the times of the timestamps', async () => {
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
