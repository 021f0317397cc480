import { expect, test } from 'vitest';
import { problems, type Row } from './problems.ts';

const row: Row = { section: 'Limits', row: 'priority', file: 'rows/a.test.ts', test: 'one' };
const isOfRows = (file: string): boolean => file.startsWith('rows/');

test.each<[string, Row[], Record<string, string[]>, string[]]>([
  ['all is well', [row], { 'rows/a.test.ts': ['one'], 'b.test.ts': ['other'] }, []],
  [
    'a test that does not exist, or was skipped',
    [row],
    { 'rows/a.test.ts': [] },
    ['Limits, priority: no such test ran: rows/a.test.ts: one'],
  ],
  [
    'a file that did not run',
    [row],
    { 'b.test.ts': ['one'] },
    ['Limits, priority: no such test ran: rows/a.test.ts: one'],
  ],
  [
    'a test that is named in part',
    [row],
    { 'rows/a.test.ts': ['one and more'] },
    [
      'Limits, priority: no such test ran: rows/a.test.ts: one',
      'rows/a.test.ts: one and more: this test has no row',
    ],
  ],
  [
    'a test without a row',
    [row],
    { 'rows/a.test.ts': ['one', 'two'] },
    ['rows/a.test.ts: two: this test has no row'],
  ],
  [
    'two tests of one name',
    [row],
    { 'rows/a.test.ts': ['one', 'one'] },
    ['Limits, priority: there are two tests of this name: rows/a.test.ts: one'],
  ],
  [
    'a row that is there twice',
    [row, row],
    { 'rows/a.test.ts': ['one'] },
    ['Limits, priority: there are two rows of this name'],
  ],
  ['a test of two rows', [row, { ...row, row: 'context' }], { 'rows/a.test.ts': ['one'] }, []],
])('%s', (_, rows, ran, expected) => {
  expect(problems(rows, new Map(Object.entries(ran)), isOfRows)).toEqual(expected);
});
