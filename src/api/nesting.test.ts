import { expect, test } from 'vitest';
import { isNestedDeeper } from './nesting.ts';

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
