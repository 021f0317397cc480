import { expect, test } from 'vitest';
import { parseJson } from '../api/json.ts';
import { thing, things } from '../../test/support/units/output-context.ts';
import { escapeTsv, tsvLine } from './tsv.ts';
import { fieldOf } from './cell.ts';

const line = (paths: string[], element: object): string =>
  tsvLine(
    paths.map((path) => fieldOf(thing, { path, heading: '' })),
    element,
  );
const [first = {}, second = {}] = things;

test.each([
  ['a\tb', 'a\\tb'],
  ['a\nb\rc', 'a\\nb\\rc'],
  ['C:\\new', 'C:\\\\new'],
  ['plain "quoted"', 'plain "quoted"'],
])('writes %j as %j', (value, escaped) => {
  expect(escapeTsv(value)).toBe(escaped);
});

test.each([
  [['number', 'state', 'message'], '12\tblocked\tAdd 日本語 and 🫠 faces\\nwith a body\n'],
  [['owner.name', 'tags', 'extra'], 'Ada\ta,b\t{"deep":{"er":5}}\n'],
  [['parts.state', 'blocked'], 'passed,failed\ttrue\n'],
  [['created_at', 'env'], '2026-11-20T11:55:00Z\t{"A":"1","B":"two words"}\n'],
])('%j of the first sample', (paths, text) => {
  expect(line(paths, first)).toBe(text);
});

test('writes null and missing as empty, and keeps every column', () => {
  expect(line(['owner.name', 'web_url', 'tags', 'created_at'], second)).toBe(
    '\t\t\t2013-09-03T13:24:38Z\n',
  );
});

test('writes long numbers in full', () => {
  const element = parseJson('{"number":12345678901234567890,"extra":{"n":98765432109876543210}}');
  expect(line(['number', 'extra'], element as object)).toBe(
    '12345678901234567890\t{"n":98765432109876543210}\n',
  );
});
