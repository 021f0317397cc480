import { expect, test } from 'vitest';
import { writeDotenv } from './write.ts';
import { readDotenv } from './read.ts';

test.each<[string, Record<string, string>]>([
  ['', {}],
  ['\n# a comment\n\n   # another\n', {}],
  ['A=1', { A: '1' }],
  ['A=1\nB=2\n', { A: '1', B: '2' }],
  ['A=1\r\nB=2\r\n', { A: '1', B: '2' }],
  ['\uFEFFA=1', { A: '1' }],
  ['export A=1', { A: '1' }],
  ['  A = 1 ', { A: '1' }],
  ['A: 1', { A: '1' }],
  ['A=', { A: '' }],
  ['A=\nB=2', { A: '', B: '2' }],
  ['A=a b  # said', { A: 'a b' }],
  ["A=it's", { A: "it's" }],
  ['A=a=b', { A: 'a=b' }],
  ['A.b-c=1', { 'A.b-c': '1' }],
  ["A='a # b'  # said", { A: 'a # b' }],
  ["A='a\\'", { A: 'a\\' }],
  ["A='one\ntwo'\nB=2", { A: 'one\ntwo', B: '2' }],
  ["A='a\r\nb'", { A: 'a\r\nb' }],
  ['A="one\\ntwo"', { A: 'one\ntwo' }],
  ['A="one\ntwo"\nB=2', { A: 'one\ntwo', B: '2' }],
  ['A="\\\\n"', { A: '\\n' }],
  ['A="a \\"b\\" \\$c \\`d\\` \\\\ \'"', { A: 'a "b" $c `d` \\ \'' }],
  ['A="\\x"', { A: '\\x' }],
  ['A=`it\'s "x"`', { A: 'it\'s "x"' }],
  ["export A='it'\\''s'", { A: "it's" }],
  ['A=1\nA=2', { A: '2' }],
  ['A=${HOME}', { A: '${HOME}' }],
  ['A=ü€', { A: 'ü€' }],
])('%j', (text, variables) => expect(readDotenv(text, '.env')).toEqual(variables));

test.each([
  ['A=1\nnonsense', '.env:2: a variable must be KEY=VALUE'],
  ['A=1\n\nB="open\n', '.env:3: unclosed quotes'],
  ["A='open", '.env:1: unclosed quotes'],
  ['A="x"y', '.env:1: text after the closing quotes'],
  ['=x', '.env:1: a variable must be KEY=VALUE'],
])('rejects %j, naming the line', (text, message) =>
  expect(() => readDotenv(text, '.env')).toThrow(message),
);

test('treats a variable named __proto__ like any other', () => {
  expect(Object.entries(readDotenv('__proto__=1', '.env'))).toEqual([['__proto__', '1']]);
});

test.each([false, true])('round-trips what job env writes (exported: %j)', (exported) => {
  const pieces = [
    '',
    'a',
    ' ',
    '\n',
    '\r',
    '\t',
    "'",
    '"',
    '`',
    '$',
    '\\',
    '#',
    '=',
    '\\n',
    '$(x)',
    'ü',
  ];
  const values = pieces.flatMap((a) => pieces.flatMap((b) => pieces.map((c) => a + b + c)));
  const variables = Object.fromEntries(values.map((value, i) => [`V${i}`, value]));
  expect(readDotenv(writeDotenv(variables, { exported }).text, '.env')).toEqual(variables);
});
