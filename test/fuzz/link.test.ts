/** The `Link` header: every next page is found, and a malformed header never ends a list. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidResponseError } from '../../src/http/transport.ts';
import { nextLink } from '../../src/http/headers.ts';
import { anyText, fuzzed } from '../support/fuzz.ts';

const target = anyText(['http://h/a?page=2', ',', ';', 'rel="next"'])
  .map((text) => text.replaceAll(/[<>]/g, ''))
  .filter((text) => text !== '');
const space = fc.constantFrom('', '', ' ', '\t', '  ');
const word = fc.constantFrom('prev', 'last', 'first', 'nexts', 'x-next');
const quotable = anyText(['rel=next', 'next', ';', ',', '\\"'], 6).map((text) =>
  text.replaceAll(/[\\"\r\n\u2028\u2029]/g, (sign) => (/[\\"]/.test(sign) ? `\\${sign}` : '')),
);
const other = fc
  .tuple(fc.constantFrom('title', 'type', 'media', 'relation', 'REV'), quotable)
  .map(([name, text]) => `${name}="${text}"`);

interface Drawn {
  readonly text: string;
  readonly next: string | undefined;
}

const link = fc
  .record({
    target,
    isNext: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0),
    words: fc.array(word, { maxLength: 2 }),
    name: fc.constantFrom('rel', 'Rel', 'REL'),
    before: fc.array(other, { maxLength: 2 }),
    after: fc.array(other, { maxLength: 2 }),
    spaces: fc.tuple(space, space, space),
  })
  .map(({ target, isNext, words, name, before, after, spaces: [one, two, three] }): Drawn => {
    const all = isNext ? [...words, 'next'] : [...words, 'up'];
    const relation = all.length === 1 ? (all[0] ?? '') : `"${all.join(' ')}"`;
    const parameters = [...before, `${name}${one}=${two}${relation}`, ...after];
    const text = `<${target}>${parameters.map((each) => `${three};${one}${each}`).join('')}`;
    return { text, next: isNext ? target : undefined };
  });

test('finds the next page in any list of links, or fails for two', () => {
  fc.assert(
    fc.property(fc.array(link, { maxLength: 5 }), space, (links, gap) => {
      const header = links.map(({ text }) => text).join(`${gap},${gap}`);
      const wanted = new Set(links.flatMap(({ next }) => next ?? []));
      if (wanted.size > 1) expect(() => nextLink(header)).toThrow(InvalidResponseError);
      else expect(nextLink(header)).toBe([...wanted][0]);
    }),
    fuzzed(1500),
  );
});

const signs = [
  '<',
  '>',
  ';',
  ',',
  ' ',
  'rel=',
  '"next"',
  'next',
  '"',
  '=',
  '\\',
  '<http://h/>;rel=',
];

test('any text is a list of links, or a specific error', () => {
  fc.assert(
    fc.property(anyText(signs), (text) => {
      try {
        expect(['string', 'undefined']).toContain(typeof nextLink(text));
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidResponseError);
      }
    }),
    fuzzed(1500),
  );
});

test('a truncated list is an error', () => {
  fc.assert(
    fc.property(link, fc.double({ min: 0, max: 0.999, noNaN: true }), ({ text, next }, part) => {
      fc.pre(next !== undefined);
      const cut = text.slice(0, Math.floor(text.length * part));
      if (cut.trim() === '') return;
      try {
        const found = nextLink(cut);
        expect(found === next || /;\s*rel\s*=/i.test(cut)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidResponseError);
      }
    }),
    fuzzed(1500),
  );
});

test('reads a long header in linear time', () => {
  for (const sign of [
    ';',
    ' ;',
    '; ',
    ';a',
    ';a=',
    ';"',
    ';a="\\"',
    '"',
    ',',
    ' ',
    '\\"',
    '<',
    '<a>,',
  ])
    for (const start of ['', '<a>', '<a>;rel=next', '<a>;rel="'])
      try {
        nextLink(start + sign.repeat(20_000));
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidResponseError);
      }
});
