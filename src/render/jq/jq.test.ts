import { expect, test } from 'vitest';
import { toExit } from '../../errors.ts';
import { checkJq, runJq, isCostlyJq, checkHalfPairsInProgram, replaceHalfPairs } from './jq.ts';

const input = '{"n":12345678901234567890,"s":"  two\\nlines  ","list":[1,{"a":null}],"empty":""}';

test.each([
  ['.n', ['12345678901234567890']],
  ['.s', ['  two\nlines  ']],
  ['.empty', ['']],
  ['empty', []],
  ['.list[]', ['1', '{"a":null}']],
  ['.s, .n, nan', ['  two\nlines  ', '12345678901234567890', 'null']],
  ['"\\u0000\\u001e"', ['\0\x1e']],
  ['.list | map(select(type == "number")) | add', ['1']],
  ['[.list[] | tojson] | @tsv', ['1\t{"a":null}']],
  ['-1', ['-1']],
  ['"a\tb\nc"', ['a\tb\nc']],
  ['.n # the last line is a comment', ['12345678901234567890']],
])('%s', async (program, values) => {
  await checkJq(program);
  expect(await runJq(program, input, { indent: false })).toEqual({
    values,
    notes: '',
    failure: undefined,
  });
});

test('indents on request', async () => {
  const { values } = await runJq('.list[1], "x"', input, { indent: true });
  expect(values).toEqual(['{\n  "a": null\n}', 'x']);
});

test.each(['.a |', 'nothing(1)', '{', '#', 'include "x"; .'])('rejects %j', async (program) => {
  await expect(checkJq(program)).rejects.toThrow(/^invalid --jq program: \S/);
  await expect(checkJq(program)).rejects.toSatisfy((error) => toExit(error) === 2);
});

test.each(['.n.inside', 'error("sorry")', '.list | @tsv', 'input', 'halt_error'])(
  'accepts %j, which fails only at run time',
  async (program) => {
    await checkJq(program);
    const { failure } = await runJq(program, input, { indent: false });
    expect(failure?.message).toMatch(/^--jq failed: \S/);
  },
);

test('keeps the output before a failure', async () => {
  const { values, failure } = await runJq('.list[] | .a', '{"list":[{"a":1},2]}', {
    indent: false,
  });
  expect(values).toEqual(['1']);
  expect(failure?.message).toBe('--jq failed: Cannot index number with string ("a")');
});

test('passes on debug messages', async () => {
  const { values, notes } = await runJq('.empty | debug("here")', input, { indent: false });
  expect(values).toEqual(['']);
  expect(notes).toBe('["DEBUG:","here"]');
});

test('handles 5 MB', async () => {
  const elements = Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'x'.repeat(240) }));
  const { values } = await runJq('map(.id) | add', JSON.stringify(elements), { indent: false });
  expect(values).toEqual(['199990000']);
});

const small = JSON.stringify(
  Array.from({ length: 30 }, (_, number) => ({ number, state: 'passed', jobs: [{ id: 'a' }] })),
);

test.each([
  '.',
  '.[].number',
  '.[] | select(.state == "failed") | .web_url',
  '[.[] | {number, state, message: .message}]',
  '.[] | [.number, .state, .branch] | @tsv',
  '.[] | .jobs[] | select(.exit_status >= 1 and .soft_failed != true) | .id',
  'map(select(.number > 3)) | length',
  '[..|.id? // empty] | unique',
  '.[0].range',
  'sort_by(.created_at) | first',
  'group_by(.state) | map({state: .[0].state, count: length})',
  '"while repeating * = range"',
  '.["as"], .test',
])('stops %s quickly', (program) => {
  expect(isCostlyJq(program, small)).toBe(false);
});

test.each([
  'last(repeat(1))',
  '[range(1e18)]',
  'def f: f; f',
  'until(false; .)',
  '"x" * 1000000000',
  '.[500000000] = 1',
  '.[0] |= 1',
  'reduce .[] as $i (0; . + $i)',
  'test("(a+)+$")',
  '[.[], .[], .[], .[], .[]] | {a: .[], b: .[], c: .[]}',
  Array(30).fill('(., .)').join(' | '),
  Array(30).fill('. + .').join(' | '),
  '"\\(range(1e18))"',
])('allows %s to run long', (program) => {
  expect(isCostlyJq(program, small)).toBe(true);
});

test('allows any program to run long on much data', () => {
  expect(isCostlyJq('.', `"${'x'.repeat(9_000_000)}"`)).toBe(true);
  expect(isCostlyJq('{a: .[], b: .[]}', `[${'1,'.repeat(10_000)}1]`)).toBe(true);
});

const thrownBy = (action: () => void): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
};

test.each(['"\\ud83d\\ude00"', '"👍"', '"\\\\ud800"', '"\\\\\\\\ud800"', '"\\u0041"', '{}'])(
  '%s contains no surrogate halves',
  (text) => {
    expect(thrownBy(() => checkHalfPairsInProgram(text))).toBeUndefined();
  },
);

test.each(['"\\ud800"', '. == "\\uDe00"', '"\\ud83d\\ud83d"', '"a\ud800"'])(
  'rejects the program %s',
  (program) => {
    expect(toExit(thrownBy(() => checkHalfPairsInProgram(program)))).toBe(2);
  },
);

test.each([
  ['["\\ud800x", "\\ud83d\\ude00"]', '["\\ufffdx", "\\ud83d\\ude00"]'],
  ['"\\\\ud800\\udC00\ud800"', '"\\\\ud800\\ufffd\\ufffd"'],
  ['"👍"', '"👍"'],
])('replaces surrogate halves in %s', (json, expected) => {
  expect(replaceHalfPairs(json)).toBe(expected);
});
