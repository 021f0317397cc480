import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseJson } from '../api/json.ts';
import { toYaml } from './yaml.ts';

test.each([
  [
    [{ number: 5, blocked: false, creator: null }],
    '- number: 5\n  blocked: false\n  creator: null\n',
  ],
  [[], '[]\n'],
  [{ message: 'one\ntwo' }, 'message: |-\n  one\n  two\n'],
  [{ commit: '0123', answer: 'no' }, 'commit: "0123"\nanswer: "no"\n'],
])('%j', (value, yaml) => {
  expect(toYaml(value)).toBe(yaml);
});

test('gives long numbers in full', () => {
  expect(toYaml(parseJson('{"times":[1234567890123456789,0.12345678901234567890]}'))).toBe(
    'times:\n  - 1234567890123456789\n  - 0.12345678901234567890\n',
  );
});

test.each(['\x9b31m', 'a\u202eb', '\x1b]0;x\x07', '\x7f', 'line\u2028line\n two\u2066', 'a\x85b'])(
  'escapes %j, and reads back the same',
  (text) => {
    const yaml = toYaml({ [text]: text, plain: 'é日👍' });
    expect(yaml).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/);
    expect(parse(yaml)).toEqual({ [text]: text, plain: 'é日👍' });
  },
);

test('does not fold long lines nor make anchors', () => {
  const shared = { text: 'word '.repeat(60) };
  expect(toYaml([shared, shared]).split('\n')).toHaveLength(3);
});
