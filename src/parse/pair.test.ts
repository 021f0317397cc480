import { expect, test } from 'vitest';
import { pair, pairs } from './pair.ts';

test.each([
  ['K=V', ['K', 'V']],
  ['K=', ['K', '']],
  ['K=a=b', ['K', 'a=b']],
  ['K= a\nb ', ['K', ' a\nb ']],
])('%j is parted at the first =', (text, parts) => expect(pair(text, '--env')).toEqual(parts));

test.each(['', 'K', '=V'])('%j is refused, and the flag is named', (text) =>
  expect(() => pair(text, '--env')).toThrow(/--env takes KEY=VALUE/),
);

test('of one key the last value holds, and __proto__ is a key like others', () => {
  const found = pairs(['A=1', '__proto__=x', 'A=2'], '--env');
  expect(Object.entries(found)).toEqual([
    ['A', '2'],
    ['__proto__', 'x'],
  ]);
});
