import { parseDocument as parseYaml } from 'yaml';
import { expect, test } from 'vitest';
import type { Value } from './value.ts';
import { parseDocument, findTargets, findBreach } from './yaml-document.ts';
import { some } from '../../../test/support/full.ts';

function read(text: string) {
  const problems: string[] = [];
  const value = parseDocument(text, ({ line, column }, problem) => {
    problems.push(`${line}:${column}: ${problem}`);
    return undefined;
  });
  return { value: value && plain(value), problems };
}

/** Mappings as pairs, so that their order counts; null as null, everything else as written. */
function plain(value: Value): unknown {
  if (value.kind === 'scalar') return value.isNull ? null : value.text;
  if (value.kind === 'list') return value.items.map(plain);
  return [...value.entries.values()].map((entry) => [entry.key, plain(entry.value)]);
}

test.each([
  ...['yes', 'no', 'on', 'Off', 'y', 'N', 'TRUE', 'true', '010', '0o17', '0x1F', '0b11', '1_000'],
  ...['1.10', '1e3', '.5', '+1', '-0', '.inf', '190:20:30', '2026-01-01', '2026-01-01T10:00:00Z'],
  ...['123456789012345678901234567890', '18446744073709551616', '0.10', '=', '<<', 'a:b', 'a#c'],
])('keeps %s as written', (text) => {
  expect(read(`a: ${text}`)).toEqual({ value: [['a', text]], problems: [] });
});

test.each([
  ['a: ~', null],
  ['a: null', null],
  ['a: Null', null],
  ['a:', null],
  ['a: # nothing', null],
  ["a: '~'", '~'],
  ['a: "null"', 'null'],
  ['a: !!str 1', '1'],
  ['a: !!float 1', '1'],
  ['a: |\n  b\n  c\n', 'b\nc\n'],
  ['a: >-\n  b\n  c\n\n  d\n', 'b c\nd'],
  ['a: b\n  c\n\n  d\n', 'b c\nd'],
  ['a: "\\u00e9\\x41\\\n  b"', 'éAb'],
  ["a: 'it''s'", "it's"],
  ['a: |\r\n  b\r\n  c\r\n', 'b\nc\n'],
  ['\ufeffa: b', 'b'],
  ['\ufeff{a: b}', 'b'],
  ['\ufeff---\na: b', 'b'],
  ['\ufeff# x\na: b', 'b'],
  ['---\na: b\n...\n', 'b'],
  ['a: b\n---\n# nothing\n', 'b'],
  ['%YAML 1.1\n---\na: on', 'on'],
  ['{"a": "b"}', 'b'],
  ['{\n\t"a": "b"\n}', 'b'],
  ['a: &x b', 'b'],
  ['a:\tb', 'b'],
  ['a: b\r', 'b'],
])('%j has %j', (text, expected) => {
  expect(read(text)).toEqual({ value: [['a', expected]], problems: [] });
});

test('treats a lone carriage return as a line end', () => {
  expect(read('a: b\rc: d\r').value).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

const both = 'a: &a {A: 1, B: 2}\nb: &b {B: 5, D: 4}\ne:\n';

test.each([
  [
    'a key of its own stands in the place of the merged one',
    '  <<: *a\n  B: 3\n  C: 4',
    'A1 B3 C4',
  ],
  ['also before', '  B: 3\n  C: 4\n  <<: *a', 'B3 C4 A1'],
  ['of several mappings the first wins', '  X: 1\n  <<: [*a, *b]\n  C: 4', 'X1 A1 B2 D4 C4'],
  ['of several merges too', '  <<: *a\n  Y: 1\n  <<: *b', 'A1 B2 Y1 D4'],
  ['lists in lists', '  <<: [[*b], *a]', 'B5 D4 A1'],
  ['a mapping as it is', '  <<: {A: 7}\n  A: 8', 'A8'],
  ['in quotes it is a key', "  '<<': 1", '<<1'],
])('merges `<<`: %s', (_, text, expected) => {
  const { value, problems } = read(both + text);
  const merged = new Map(value as [string, string[][]][]).get('e');
  expect(problems).toEqual([]);
  expect(merged?.map((pair) => pair.join('')).join(' ')).toBe(expected);
});

test('a redefined anchor applies from there on', () => {
  expect(read('- &a x\n- *a\n- &a y\n- *a\n- &b [*a]\n- *b').value).toEqual([
    'x',
    'x',
    'y',
    'y',
    ['y'],
    ['y'],
  ]);
});

test.each([
  ['a: 1\na: 2', '2:1: duplicate key `a`, first used on line 1'],
  ['a: *b\nc: &b x', '1:4: the alias has no anchor before it'],
  ['~: b', '1:1: a key must be a string'],
  ['[a]: b', '1:1: a key must be a string'],
  ['a:\n  <<: b', '2:7: `<<` requires a mapping, an alias of a mapping, or a list of mappings'],
  ['a: !main', '1:4: `!main` is a YAML tag, not part of the value; put the value in quotes'],
  ['a: !b c', '1:4: `!b` is a YAML tag, not part of the value; put the value in quotes'],
  ['a: b\n---\nc: d', '2:1: the file has more than one document'],
  ['a: b\nc: "\x1b[1m"', '2:5: the file contains a control character'],
  ['a:\n\tb: c', '2:1: tabs are not allowed as indentation'],
])('rejects %j', (text, expected) => {
  expect(read(text).problems).toEqual([expected]);
});

/** How often the items of a document's nodes are read. */
function looksAtItems(text: string): number {
  const document = parseYaml(text, { uniqueKeys: false });
  let looks = 0;
  const seen = new Set<object>();
  const count = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    if ('key' in node) count(node.key);
    if ('value' in node) count(node.value);
    if (!('items' in node) || !Array.isArray(node.items)) return;
    const items = node.items as readonly unknown[];
    items.forEach(count);
    const get = (): readonly unknown[] => {
      looks++;
      return items;
    };
    Object.defineProperty(node, 'items', { get });
  };
  count(document.contents);
  if (document.contents === null) throw new Error('the document is empty');
  findBreach(document.contents, findTargets(document));
  return looks;
}

test('another alias costs the same however many there are', () => {
  const aliases = (count: number): string =>
    `a: &a {k: v}\nsteps:\n${'- <<: *a\n  command: x\n'.repeat(count)}`;
  const [few, many, more] = [100, 1000, 1900].map((count) => looksAtItems(aliases(count)));
  expect(((more ?? 0) - (many ?? 0)) / 900).toBe(((many ?? 0) - (few ?? 0)) / 900);
});

test('rejects an alias bomb without expanding it', () => {
  const levels = Array.from({ length: 30 }, (_, level) => {
    const inner = level === 0 ? 'x' : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 10 }, () => inner).join(', ')}]`;
  });
  expect(looksAtItems(levels.join('\n'))).toBeLessThan(30 * 60);
  expect(read(levels.join('\n')).problems).toEqual([
    expect.stringContaining('the file has more than 500000 values after its aliases are expanded'),
  ]);
});

test('reads ten thousand steps', () => {
  const count = some(10_000);
  const step =
    '- label: a\n  command: b\n  env: {A: 1, B: 2, C: 3}\n  plugins: [c: {d: e, f: g}]\n';
  const { value, problems } = read(`steps:\n${step.repeat(count)}`);
  expect(problems).toEqual([]);
  expect((value as [string, unknown[]][])[0]?.[1]).toHaveLength(count);
});
