import { expect, test } from 'vitest';
import { plain, restyle } from '../style.ts';
import { classColours, classStyle } from './colours.ts';
import { spans } from './span.ts';
import { isFull } from '../../../test/support/full.ts';

const open = (parameters: string): string =>
  Buffer.from(spans(classColours)(restyle(plain, parameters)).open).toString();

test.each([
  ['', ''],
  ['1;31', '<b><span class="ink-1">'],
  ['97', '<span class="ink-15">'],
  ['53;32', '<span class="overline"><span class="ink-2">'],
  ['38;5;208', '<span class="ink-3" data-ink="light-dark(#a65800,#ff8700)">'],
  ['7', '<span><span class="ground-ink">'],
  ['41', '<span><span class="ground-1">'],
  ['31;42', '<span><span class="ground-2" data-ink="#f8e9e9">'],
  ['48;5;208', '<span><span class="ground-3" data-ink="#000000" data-ground="#ff8700">'],
])('styles %s with classes only', (parameters, expected) => {
  expect(open(parameters)).toBe(expected);
});

test('every color has a class and no inline style', () => {
  for (const ink of ['', ';3', ';9', ';38;5;'])
    for (const ground of ['', ';4', ';10', ';48;5;'])
      for (let number = 0; number < 256; number += isFull ? 1 : 9) {
        const code = (prefix: string): string =>
          prefix === '' ? '' : `${prefix}${prefix.endsWith(';') ? number : number % 8}`;
        const markup = open(`2${code(ink)}${code(ground)}`);
        expect(markup).not.toContain('style');
        for (const [, name = ''] of markup.matchAll(/class="([^"]+)"/g))
          expect(classStyle).toContain(`.${name} {`);
      }
});
