import { expect, test } from 'vitest';
import { toExit } from '../errors.ts';
import { checkJq, runJq } from './jq.ts';

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

test('indents where asked', async () => {
  const { values } = await runJq('.list[1], "x"', input, { indent: true });
  expect(values).toEqual(['{\n  "a": null\n}', 'x']);
});

test.each(['.a |', 'nothing(1)', '{', '#', 'include "x"; .'])('refuses %j', async (program) => {
  await expect(checkJq(program)).rejects.toThrow(/^--jq is no program: \S/);
  await expect(checkJq(program)).rejects.toSatisfy((error) => toExit(error) === 2);
});

test.each(['.n.inside', 'error("sorry")', '.list | @tsv', 'input', 'halt_error'])(
  'accepts %j, which fails only when it runs',
  async (program) => {
    await checkJq(program);
    const { failure } = await runJq(program, input, { indent: false });
    expect(failure?.message).toMatch(/^--jq failed: \S/);
  },
);

test('keeps what came before a failure', async () => {
  const { values, failure } = await runJq('.list[] | .a', '{"list":[{"a":1},2]}', {
    indent: false,
  });
  expect(values).toEqual(['1']);
  expect(failure?.message).toBe('--jq failed: Cannot index number with string ("a")');
});

test('passes on what debug says', async () => {
  const { values, notes } = await runJq('.empty | debug("here")', input, { indent: false });
  expect(values).toEqual(['']);
  expect(notes).toBe('["DEBUG:","here"]');
});

test('takes 5 MB', async () => {
  const elements = Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'x'.repeat(240) }));
  const { values } = await runJq('map(.id) | add', JSON.stringify(elements), { indent: false });
  expect(values).toEqual(['199990000']);
});
