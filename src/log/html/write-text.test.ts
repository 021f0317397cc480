import { expect, test } from 'vitest';
import { toBytes, toText } from '../text.ts';
import { textMarkup } from './write-text.ts';

const emoji = (name: string, character: string): string =>
  `<span title=":${name}:">${character}</span>`;

test.each([
  [':rocket: go', `${emoji('rocket', '🚀')} go`],
  ['(:tada:)', `(${emoji('tada', '🎉')})`],
  [':+1:', emoji('+1', '👍')],
  [':warning:', emoji('warning', '⚠️')],
  [':de:', emoji('de', '🇩🇪')],
  ['a :100:.', `a ${emoji('100', '💯')}.`],
  [':docker: unknown', ':docker: unknown'],
  ['10:20:30', '10:20:30'],
  ['redis:key:42', 'redis:key:42'],
  [':key:value', ':key:value'],
  ['::key::', '::key::'],
  [':key', ':key'],
  [': key:', ': key:'],
  [':constructor:', ':constructor:'],
  [':<b>:', ':&lt;b&gt;:'],
  [`${'x'.repeat(20_000)}:key:`, `${'x'.repeat(20_000)}:key:`],
  ['é :rocket:', `é ${emoji('rocket', '🚀')}`],
])('%s', (text, expected) => {
  expect(toText(textMarkup(toBytes(text)))).toBe(expected);
});

test('leaves room for the shortest names', () => {
  const text = ':a: '.repeat(50_000);
  expect(textMarkup(text).match(/title=":a:"/g)).toHaveLength(50_000);
});
