import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText, bound, fuzzed } from '../../../test/support/fuzz.ts';
import { runPlainPath, isPlainPath } from './plain-path.ts';
import { replaceHalfPairs, runJq } from './jq.ts';
import { sampled } from '../../../test/support/full.ts';

/** A trailing no-op prevents the shortcut for plain paths. */
const withEngine = (program: string, json: string, indent: boolean) =>
  runJq(`${program} | (.)`, json, { indent, isCostly: false });

async function expectSame(program: string, json: string): Promise<boolean> {
  expect(isPlainPath(program)).toBe(true);
  let isRun = false;
  for (const indent of [false, true]) {
    const values = runPlainPath(program, replaceHalfPairs(json), { indent });
    const expected = await withEngine(program, json, indent);
    if (values !== undefined) {
      expect({ values, notes: '', failure: undefined }).toEqual(expected);
      isRun = true;
    }
    expect(await runJq(program, json, { indent })).toEqual(expected);
  }
  return isRun;
}

sampled.each([
  ['.number', '{"number":7}', ['7']],
  [' .a.b ', '{"a":{"b":"x"}}', ['x']],
  ['.a["b c"]', '{"a":{"b c":true}}', ['true']],
  ['.["a"].b', '{"a":{}}', ['null']],
  ['.[].web_url', '[{"web_url":"a"},{},null]', ['a', 'null', 'null']],
  ['.[] | .a.b', '[{"a":{"b":1}},{"a":null}]', ['1', 'null']],
  ['.[0]', '[1,2]', ['1']],
  ['.[-1]', '[1,2]', ['2']],
  ['.[2]', '[1,2]', ['null']],
  ['.[-3]', '[1,2]', ['null']],
  ['.a.[0]|.b[]', '{"a":[{"b":[1,2]}]}', ['1', '2']],
  ['.', '{"a":[{"b":1.5},[],{}]}', ['{"a":[{"b":1.5},[],{}]}']],
  ['.and', '{"and":1}', ['1']],
])('runs %s on %s', async (program, json, values) => {
  expect(runPlainPath(program, json, { indent: false })).toEqual(values);
  expect(await expectSame(program, json)).toBe(true);
});

sampled.each([
  ...['', '..', '..a', '.a?', '.a | length', '.a, .b', '.["\\u0061"]', '."a"', '.a |= 1', '.[0:1]'],
  ...['.["\\(1)"]', '.[.a]', '.[1.5]', '. | # all\n .a', '.a..b', '.[', '.a |', '.a.1', '.$a'],
  ...['..[0]', '.["é"]', '.[01]', '.[-0]', '..["a"]', '.a . b'],
])('leaves the program %j to the engine', (program) => {
  expect(isPlainPath(program)).toBe(false);
});

sampled.each([
  ...['1.0', '1e5', '1E-7', '-0', '0.10', '1e400', '12345678901234567', '0.12345678901234567'],
  ...['1.5e3', '-0.0', '100000000000000000000', '12345678901.123456', '-12345678901234567890'],
])('prints the number %s as the engine does', async (number) => {
  for (const json of [
    `{"a":${number}}`,
    `{"a": [${number} , 1]}`,
    `{"a":"é\\u0062","b":${number}}`,
  ])
    for (const program of ['.', '.a', '.b', '.a[0]']) await expectSame(program, json);
  await expectSame('.', number);
});

sampled.each([
  '{"a":1,"b":2,"a":3}',
  '{"a":{"2":1,"1":2},"b":{"a":1,"a":2}}',
  '{"a":"\\ud800","b":["\\udc00x"]}',
  '{"\\ud800":1,"a":"\\ud83d\\ude00"}',
  '{"a":"\\u007f","b":["\x7f"]}',
  '{"a":"\\u0000\\u001e\\/","b":["\\u2028\\u0000"]}',
  '{"__proto__":1,"a":{"__proto__":{"a":5}}}',
  '{"a":"1e5","b":["a: 1.0, b"]}',
  ' {\n "a" : [ 1 , 2 ] }\n',
  '{"b":5,"a":[{"at":"2026-11-20T11:05:00Z","old":"2013-09-03 13:24:08 UTC"}]}',
])('reads %s as the engine does', async (json) => {
  for (const program of ['.', '.a', '.b', '.a.a', '.["__proto__"]', '.a[]', '.a.["__proto__"].a'])
    await expectSame(program, json);
});

sampled.each([
  ['.a', '[1]'],
  ['.[0]', '{"a":1}'],
  ['.[]', '{"a":1}'],
  ['.[]', 'null'],
  ['.a.b', '{"a":"x"}'],
  ['.[] | .a', '[{"a":1},2,{"a":3}]'],
  ['.[].a[0]', '[{"a":[1]},{"a":"x"}]'],
])('leaves the error of %s in %s to the engine', async (program, json) => {
  expect(await expectSame(program, json)).toBe(false);
});

const step = fc.constantFrom('.a', '.b', '["a"]', '["b c"]', '[]', '[0]', '[-1]', '[1]', ' | .a');
const path = fc.array(step, { maxLength: 4 }).map((steps) => {
  const text = steps.join('');
  return text.startsWith('.') ? text : `.${text}`;
});

const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt().map(String),
  fc.tuple(fc.nat(99), fc.nat(9999)).map(([whole, rest]) => `${whole}.${rest}`),
  fc.constantFrom('-0', '1.0', '1e5', '1E+2', '0.000001', '0.0000001'),
);
const string = fc.oneof(
  anyText().map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u00e9\\/"', '"\\ud800"', '"1.0, 2"'),
);
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'medium' },
    fc.oneof(number, string, fc.constantFrom('null', 'true', 'false')),
    fc.array(tie('value'), { maxLength: 3 }).map((all) => `[${all.join(', ')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'b c', '1', '0'), tie('value')), { maxLength: 4 })
      .map((all) => `{${all.map(([name, inner]) => `"${name}":${inner}`).join(',')}}`),
  ),
}));

test('prints what the engine prints', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(path, value, async (program, json) => {
      if (await expectSame(program, json)) runs += 1;
    }),
    fuzzed(1000),
  );
  expect(runs).toBeGreaterThan(bound(10));
});
