/**
 * Patterns for branches, changed files and artifacts match the same as an equivalent regular
 * expression.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { branchMatches } from '../../src/service/pipeline/branches.ts';
import { globMatcher } from '../../src/service/domain/artifact-glob.ts';
import { matchesGlob, parseGlob } from '../../src/service/pipeline/if-changed.ts';
import { glob } from '../../src/service/shim/agent/glob.ts';
import { anyText, fuzzed } from '../support/fuzz.ts';

/** Matches the whole text with JavaScript's regular expressions. */
const whole = (source: string): RegExp => new RegExp(`^(?:${source})$`, 'su');
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** A part of a pattern, and its regular expression. */
type Piece = readonly [written: string, source: string];

const joined = (pieces: readonly Piece[], index: 0 | 1): string =>
  pieces.map((piece) => piece[index]).join('');
const letter = fc
  .constantFrom('a', 'b', '/', '.', 'ü', '-', 'a.b')
  .map((text): Piece => [text, escaped(text)]);
const path = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', 'ü', '-'), maxLength: 6 });

test('branches', () => {
  const star = fc.constant<Piece>(['*', '.*']);
  const pattern = fc.array(fc.oneof(letter, star), { minLength: 1, maxLength: 5 });
  const drawn = fc.array(fc.tuple(pattern, fc.boolean()), { maxLength: 3 });
  fc.assert(
    fc.property(drawn, path, fc.boolean(), (drawn, branch, isList) => {
      const texts = drawn.map(([pieces, isRefused]) => (isRefused ? '!' : '') + joined(pieces, 0));
      const fits = ([pieces]: (typeof drawn)[number]): boolean =>
        whole(joined(pieces, 1)).test(branch);
      const wanted = drawn.filter(([, isRefused]) => !isRefused);
      const refused = drawn.filter(([, isRefused]) => isRefused);
      const expected = !refused.some(fits) && (wanted.length === 0 || wanted.some(fits));
      expect(branchMatches(isList ? texts : texts.join(' '), branch)).toBe(expected);
    }),
    fuzzed(1500),
  );
});

/** Whether the parts can be told apart: adjacent stars form another part. */
const isUnambiguous = (pieces: readonly Piece[]): boolean => {
  const count = (sign: RegExp): boolean => {
    const inPieces = pieces.flatMap(([written]) => written.match(sign) ?? []).length;
    return (joined(pieces, 0).match(sign)?.length ?? 0) === inPieces;
  };
  return count(/\*+/g) && count(/\*\*\//g);
};

const oneOf = fc.constantFrom<Piece>(['?', '[^/]'], ['[ab]', '[ab]'], ['\\*', '\\*'], ['\\a', 'a']);

test('artifact searches', () => {
  const more = fc.constantFrom<Piece>(
    ['*', '.*'],
    ['***', '.*'],
    ['**/', '.*(?<=^|/)'],
    ['[a-b]', '[a-b]'],
    ['[!a]', '[^a]'],
  );
  const choice = fc
    .tuple(letter, letter)
    .map(([[a, b], [c, d]]): Piece => [`{${a},${c}}`, `(?:${b}|${d})`]);
  const pattern = fc.array(fc.oneof(letter, oneOf, more, choice), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(pattern, path, (pieces, path) => {
      const written = joined(pieces, 0);
      // Leading slashes have no meaning, and adjacent stars form another part.
      fc.pre(isUnambiguous(pieces) && !/^[./]/.test(written) && !/^[./]/.test(path));
      expect(globMatcher(written)(path)).toBe(whole(joined(pieces, 1)).test(path));
    }),
    fuzzed(1500),
  );
});

test('changed files', () => {
  const more = fc.constantFrom<Piece>(['*', '[^/]*'], ['[^a]', '(?!/)[^a]'], ['x**', 'x.*']);
  const folders = fc.constantFrom<Piece>(['/**/', '/(?:.*/)?'], ['/**', '/.*']);
  const choice = fc
    .tuple(letter, letter)
    .map(([[a, b], [c, d]]): Piece => [`{${a},${c}}`, `(?:${b}|${d})`]);
  const pattern = fc.array(fc.oneof(letter, oneOf, more, folders, choice), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(pattern, path, (pieces, path) => {
      const written = joined(pieces, 0);
      fc.pre(isUnambiguous(pieces) && !written.includes('**//'));
      expect(matchesGlob(parseGlob(written), path)).toBe(whole(joined(pieces, 1)).test(path));
    }),
    fuzzed(1500),
  );
});

const signs = [
  '*',
  '**',
  '**/',
  '?',
  '[',
  ']',
  '[a',
  '[!',
  '[^',
  '{',
  '}',
  ',',
  '\\',
  '/',
  'a',
  'b',
  '!',
];

test('any text is a pattern, or rejected by name', () => {
  fc.assert(
    fc.property(anyText(signs, 8), path, (pattern, path) => {
      expect(typeof branchMatches(pattern, path)).toBe('boolean');
      expect(typeof globMatcher(pattern)(path)).toBe('boolean');
      try {
        expect(typeof matchesGlob(parseGlob(pattern), path)).toBe('boolean');
      } catch (error) {
        expect(String(error)).toContain('the pattern `');
      }
    }),
    fuzzed(1500),
  );
});

const folder = mkdtempSync(join(tmpdir(), 'cictl-fuzz-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const files = [
  'a',
  'b',
  'a.b',
  'ü',
  'c/a',
  'c/b',
  'c/d/a',
  'c/d/e/b',
  '{x}',
  '[a]',
  '*',
  'c/.h',
  '\\',
];
for (const file of files) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), '');
}

test('uploaded files exist, whatever the pattern', () => {
  fc.assert(
    fc.property(anyText([...signs, 'c/', 'd', '{x}'], 6), (pattern) => {
      fc.pre(!pattern.startsWith('/') && !pattern.includes('..') && !pattern.includes('\0'));
      for (const followLinks of [false, true]) {
        const found = glob(folder, pattern, { followLinks });
        expect(found).toEqual([...new Set(found)].sort());
        expect(
          found
            .map((file) => file.replace(/^(?:\.\/)+/, ''))
            .filter((file) => !files.includes(file)),
        ).toEqual([]);
      }
    }),
    fuzzed(1000),
  );
});

test('uploaded files match the pattern', () => {
  const name = fc.constantFrom<Piece>(
    ['a', 'a'],
    ['b', 'b'],
    ['*', '[^/]*'],
    ['?', '[^/]'],
    ['[ab]', '[ab]'],
    ['{a,b}', '(?:a|b)'],
    ['[^a]', '[^/a]'],
  );
  const part = fc.oneof(
    fc
      .array(name, { minLength: 1, maxLength: 2 })
      .filter((pieces) => joined(pieces, 0) !== '**')
      .map((pieces): Piece => [`${joined(pieces, 0)}/`, `${joined(pieces, 1)}/`]),
    fc.constantFrom<Piece>(['**/', '(?:.*/)?'], ['c/', 'c/']),
  );
  const pattern = fc
    .tuple(fc.array(part, { maxLength: 3 }), name)
    .map(([parts, last]) => [...parts, last]);
  fc.assert(
    fc.property(pattern, (pieces) => {
      const expected = files.filter((file) => whole(joined(pieces, 1)).test(file)).sort();
      fc.pre(!/[^/]\*\*|\*\*[^/]/.test(joined(pieces, 0)));
      expect(glob(folder, joined(pieces, 0), { followLinks: false })).toEqual(expected);
    }),
    fuzzed(1000),
  );
});
