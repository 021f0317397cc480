import { expect, test } from 'vitest';
import { NestingError, parseJson, stringifyJson, isNestedDeeper } from './json.ts';

const same = [
  '1',
  '-0.5',
  '9007199254740991',
  '9007199254740993',
  '-18446744073709551615',
  '0.1234567890123456789',
  '1e400',
  '1.5e-400',
  '{"header_times":[1563337899810051000,1563337899811015000]}',
  '{"text":"no number: 12345678901234567890, [1e999"}',
  '{"__proto__":{"a":1},"constructor":null,"big":12345678901234567890}',
  '{"__proto__":{"a":1}}',
  '{"isLosslessNumber":true,"value":"x","n":12345678901234567890}',
  '[]',
  '{"a":null,"b":[true,false,""],"c":{}}',
  '"\\u0000\\ud83d"',
];

test.each(same)('round-trips %s', (text) => {
  expect(stringifyJson(parseJson(text))).toBe(text);
});

test('returns big integers as exact strings', () => {
  const { n } = parseJson('{"n":1563337899810051001}') as { n: unknown };
  expect(String(n)).toBe('1563337899810051001');
});

test('indents', () => {
  const text = '{\n  "n": 12345678901234567890,\n  "a": [\n    1\n  ]\n}';
  expect(stringifyJson(parseJson(text), 2)).toBe(text);
});

test('does not pollute prototypes', () => {
  const value = parseJson('{"__proto__":{"polluted":1},"n":12345678901234567890}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value as object)).toContain('__proto__');
});

test('uses the last of duplicate members, with and without big integers', () => {
  expect(stringifyJson(parseJson('{"a":1,"a":2}'))).toBe('{"a":2}');
  expect(stringifyJson(parseJson('{"a":1,"a":12345678901234567890}'))).toBe(
    '{"a":12345678901234567890}',
  );
});

test.each([
  '',
  '{',
  '{"a":12345678901234567890',
  '[1,]',
  '<html>',
  'nul',
  '12345678901234567890 x',
])('rejects %j', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

test('rejects excessive nesting', () => {
  const deep = `${'['.repeat(1001)}1${']'.repeat(1001)}`;
  expect(() => parseJson(deep)).toThrow(new NestingError());
  expect(new NestingError()).toMatchObject({
    ...{ name: 'NestingError', message: 'nested deeper than 1000 levels' },
  });
  expect(parseJson(deep.slice(1, -1))).toHaveLength(1);
});

test.each(['1', '0.5', '[1234567890123456]', '{"a":1e3}', '{"a":-0.25E2}'])(
  'reads %s as a number if JavaScript can represent it',
  (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  },
);

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const mixed = (pairs: number): string => '[{"a":'.repeat(pairs) + '1' + '}]'.repeat(pairs);

test.each<[string, string, boolean]>([
  ['as many levels as may be', nested(20), false],
  ['one more', nested(21), true],
  ['objects in arrays, as many levels as may be', mixed(10), false],
  ['objects in arrays, deeper', mixed(11), true],
  ['many beside each other', `[${'{"a":[]},'.repeat(50)}1]`, false],
  ['depth behind many beside each other', `[${'{},'.repeat(50)}${nested(20)}]`, true],
  ['brackets inside strings', `["${'[{'.repeat(50)}"]`, false],
  ['closing brackets inside a string', `["${']}'.repeat(50)}",${nested(20)}]`, true],
  ['behind a quote in a string', `["\\"${'['.repeat(50)}"]`, false],
  ['behind a backslash that ends a string', `["\\\\",${nested(20)},"${'['.repeat(50)}"]`, true],
])('%s', (_, json, isDeeper) => {
  expect(isNestedDeeper(json.padEnd(200), 20)).toBe(isDeeper);
});
