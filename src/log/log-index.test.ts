import { expect, test } from 'vitest';
import { programs } from '../../test/log/programs.ts';
import { settle } from './settle.ts';
import { chain } from './stage.ts';
import { standalone, plain, restyle, type Style } from './style.ts';
import { oneMarkALine } from './time-marks.ts';
import { createLogIndex, styleOf } from './log-index.ts';
import { settleSegment } from './segments.ts';

const limits = { least: 300, most: 1024 * 1024, rows: 100 };
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, line) => `${line % 7 === 0 ? '--- ' : ''}line ${line}\n`).join(
    '',
  );

const indexOf = (log: Buffer, chunk: number, own = limits) => {
  const index = createLogIndex(own);
  for (let at = 0; at < log.length; at += chunk) index.push(log.subarray(at, at + chunk));
  return index.outline();
};

const keep = { marks: true, colours: true, links: true };
const wholeLines = (log: Buffer): string[] => {
  const stage = chain(settle(keep), oneMarkALine(), standalone());
  return (stage.push(log) + stage.end()).split('\n');
};

/** Each character with its style, whatever the sequences are. */
const looksOf = (lines: readonly string[]): string[] =>
  lines.map((line) => {
    let style: Style = plain;
    return line.replace(/\x1b\[([0-9;]*)m|([^])/g, (_, sgr?: string, character = '') => {
      if (sgr !== undefined) style = restyle(style, sgr);
      return character === '' ? '' : `${style.sgr}${character}`;
    });
  });

const linesOf = (log: Buffer, outline: ReturnType<typeof indexOf>): string[] => {
  const settled = outline.segments.map(
    ({ start, end, sgr, ending }) =>
      settleSegment(log.subarray(start, end), { before: styleOf(sgr), ending }).lines,
  );
  const stage = standalone();
  return (stage.push(settled.join('')) + stage.end()).split('\n');
};

test('segments of a log show the same as the whole log, whatever the cursor does', () => {
  const log = Buffer.from(
    [...programs(60)]
      .map((program) => `${program}\n${numbered(250)}\x1b[3${program.length % 8}m`)
      .join('') + 'the last',
  );
  const outline = indexOf(log, 1000);
  expect(outline.segments.length).toBeGreaterThan(60);
  const lines = looksOf(linesOf(log, outline));
  const whole = looksOf(wholeLines(log));
  const other = lines.findIndex((line, at) => line !== whole[at]);
  expect(lines.slice(other - 3, other + 3)).toEqual(whole.slice(other - 3, other + 3));
  expect(lines).toHaveLength(whole.length);
  expect([outline.lines, outline.size]).toEqual([lines.length, log.length]);
  for (const chunk of [1, 77, 64 * 1024, log.length])
    expect(indexOf(log.subarray(0, 40_000), chunk)).toEqual(indexOf(log.subarray(0, 40_000), 1000));
});

test('counts plain lines without resolving them, and their colors continue', () => {
  const kinds = [
    'a',
    '\x1b[31mb',
    '\r\r',
    'c\r',
    'x\ry',
    '',
    '\x1b[0m',
    '- d',
    '\xc2\x85',
    '\xc2\xa0',
    '\b',
    'é日',
  ];
  const lines = Array.from({ length: 3000 }, (_, at) => {
    const block = Math.floor(at / 500) % 2;
    const text =
      block === 0 ? ['a', '\x1b[32mb', 'c\r', '', '- d'][at % 5] : kinds[at % kinds.length];
    return `\x1b_bk;t=${1000 + at}\x07${text ?? ''}\n`;
  });
  const log = Buffer.from(lines.join(''));
  const outline = indexOf(log, 1000, { ...limits, rows: 5 });
  expect(looksOf(linesOf(log, outline))).toEqual(looksOf(wholeLines(log)));
  expect([outline.lines, outline.lastTime]).toEqual([3000, 3999]);
  for (const { start, line } of outline.segments)
    expect(log.toString('latin1', start, start + 20)).toContain(`t=${999 + line}`);
});

test('each segment knows its first line', () => {
  const log = Buffer.from(numbered(3000));
  const { segments } = indexOf(log, 500);
  for (const { start, line } of segments)
    expect(log.subarray(start, start + 20).toString()).toMatch(new RegExp(`line ${line - 1}\n`));
});

test('sections have lines and times, and say whether a line opens them', () => {
  const mark = (ms: number): string => `\x1b_bk;t=${ms}\x07`;
  const log = `a\n${mark(5)}--- \x1b[31mone\n^^^ +++\n${mark(7)}+++ two\n${mark(9)}x\n~~~ three`;
  const { sections, lines, lastTime } = indexOf(Buffer.from(log), 10);
  expect([lines, lastTime]).toEqual([6, 9]);
  expect(sections).toEqual([
    { line: 2, marker: '---', name: 'one', time: 5, isOpened: true },
    { line: 4, marker: '+++', name: 'two', time: 7, isOpened: false },
    { line: 6, marker: '~~~', name: 'three', time: undefined, isOpened: false },
  ]);
});

test('keeps the start of an extremely long line, and later lines are correct', () => {
  const log = Buffer.from(`first\n${'x'.repeat(5000)}\nlast\n`);
  const small = { least: 100, most: 1000, rows: 3 };
  const outline = indexOf(log, 64, small);
  expect(linesOf(log, outline)).toEqual(['first', 'x'.repeat(1000), 'last', '']);
  expect(outline.lines).toBe(3);
});

test('a cursor that keeps moving up makes no oversized segment', () => {
  const log = Buffer.from('abc\n\x1b[1Adef\n'.repeat(2000));
  const { segments } = indexOf(log, 999, { least: 100, most: 1000, rows: 3 });
  for (const { start, end } of segments) expect(end - start).toBeLessThan(1020);
});
