import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseJson } from '../api/json.ts';
import { toExit } from '../errors.ts';
import { yamlPieces } from './yaml-pieces.ts';
import { toYaml } from './yaml.ts';

const values: readonly unknown[] = [
  null,
  'text',
  [],
  {},
  [[], {}, [[1, [2, 3]], 'a\nb\n', '- x', '', null]],
  { a: { b: { c: ['one\n\n two\n', { d: 'trail \n' }] }, no: true }, '': 1, '---': [{}] },
  [{ number: 5, jobs: [{ id: 'a', env: { A: '1', B: 'x\n\n\ny' } }, { id: 'b' }], blocked: null }],
  { ['k'.repeat(1100)]: { a: [1, 2, 3] }, 'a: b': { '#': ['#'] } },
  parseJson('{"times":[1234567890123456789,[0.12345678901234567890]]}'),
];

test.each(values.map((value) => [value]))('pieces make the same: %j', (value) => {
  for (const max of [1, 2, 3, 5, 8, 1000]) {
    const text = [...yamlPieces(value, max)].join('');
    expect(parse(text)).toEqual(parse(toYaml(value)));
    // Texts and names that are long for `most` have another form of the same value.
    if (max > 5 && !text.startsWith('? ')) expect(text).toBe(toYaml(value));
  }
});

const nested = (levels: number): unknown =>
  JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;

test('a thousand levels are written, more are refused', () => {
  expect([...yamlPieces(nested(1000))].join('')).toBe(`${'- '.repeat(999)}[]\n`);
  for (const levels of [1001, 2000, 20_000]) {
    let thrown: unknown;
    try {
      yamlPieces(nested(levels)).next();
    } catch (error) {
      thrown = error;
    }
    expect([toExit(thrown), (thrown as Error).message]).toEqual([
      9,
      expect.stringContaining('1000 levels'),
    ]);
  }
});

test('a large value comes in many pieces', () => {
  const jobs = Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'x'.repeat(100) }));
  const pieces = [...yamlPieces({ deep: { jobs } })];
  expect(pieces.length).toBeGreaterThan(20_000);
  expect(pieces.slice(0, 3).join('')).toContain('deep:\n  jobs:\n    - id: 0\n      text: xxx');
});
