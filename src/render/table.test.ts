import { expect, test } from 'vitest';
import { resource, text } from '../api/resources/resource.ts';
import { plain, type Colors } from './colors.ts';
import { noon, thing, things } from '../../test/support/units/output-context.ts';
import { drawTable } from './table.ts';
import { fieldOf } from './cell.ts';
import { widthOf } from './width.ts';

const fields = thing.columns.map((column) => fieldOf(thing, column));
const draw = (width: number, elements: object[] = things, colors: Colors = plain): string =>
  drawTable(fields, elements, { colors, now: noon, width });
const linesOf = (table: string): string[] => table.split('\n').slice(0, -1);

test('shows values in readable form', () => {
  expect(linesOf(draw(200))).toEqual([
    'THING  STATE          MESSAGE                              OWNER  CREATED',
    '   12  ■ blocked      Add 日本語 and 🫠 faces with a body  Ada    5m ago',
    '    7  ? hibernating  tab here \\ red                              2013-09-03',
  ]);
});

test('truncates only free text, with wide characters as two columns', () => {
  expect(linesOf(draw(58))).toEqual([
    'THING  STATE          MESSAGE          OWNER  CREATED',
    '   12  ■ blocked      Add 日本語 and…  Ada    5m ago',
    '    7  ? hibernating  tab here \\ red          2013-09-03',
  ]);
});

test.each([20, 30, 40, 50, 60, 80, 120])('fits in %d columns', (width) => {
  for (const line of linesOf(draw(width))) expect(widthOf(line)).toBeLessThanOrEqual(width);
});

test('drops columns on the right if there is no room', () => {
  expect(linesOf(draw(24))[0]).toBe('THING  STATE');
});

test('aligns wide characters in any script', () => {
  const word = resource({
    name: 'word',
    plural: 'words',
    members: { a: text(), b: text() },
    columns: [
      { path: 'a', heading: 'A' },
      { path: 'b', heading: 'B' },
    ],
  });
  const words = [
    'abc',
    '日本',
    '👩‍👩‍👧‍👦',
    '🫠🫡',
    '☑️',
    'e\u0301e',
    '🇩🇪',
    '한글',
    '\u{100001}',
    'นี้',
    'x\u200by',
  ];
  const rows = words.map((a) => ({ a, b: '|' }));
  const table = drawTable(
    word.columns.map((column) => fieldOf(word, column)),
    rows,
    { colors: plain, now: noon, width: 80 },
  );
  const bars = linesOf(table)
    .slice(1)
    .map((line) => widthOf(line.slice(0, line.indexOf('|'))));
  expect(new Set(bars).size).toBe(1);
});

test('never truncates ids, which are there to be copied', () => {
  const id = '0190a4e2-0000-4000-8000-000000000001';
  const columns = ['id', 'message', 'state'].map((path) => ({ path, heading: path.toUpperCase() }));
  const table = drawTable(
    columns.map((column) => fieldOf(thing, column)),
    things,
    { colors: plain, now: noon, width: 50 },
  );
  expect(table).toContain(id);
});

test('colors states after aligning the columns', () => {
  const colors = { ...plain, magenta: (text: string) => `\x1b[35m${text}\x1b[39m` };
  expect(draw(200, things, colors).replace(/\x1b\[\d+m/g, '')).toBe(draw(200));
  expect(draw(200, things, colors)).toContain('\x1b[35m■ blocked\x1b[39m');
});
