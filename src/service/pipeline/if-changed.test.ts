import { expect, test } from 'vitest';
import { matchesGlob, parseGlob, holdsFor } from './if-changed.ts';

const files = [
  ...['main.go', 'main.ts', 'b.go', 'go.mod', 'a', 'a/b.go', 'a/b/c.go', 'a/c/b.go', 'a/x/y/b.go'],
  ...['a/.hidden', '.hidden', 'docs/x.md', 'docs/a/x.md', 'x/docs/y', '*.go', '-ain.go', 'foo,bar'],
  ...['a\nb/c', 'größe.go', 'x+(y)', '!main.go'],
];

test.each([
  ['**.go', 'main.go b.go a/b.go a/b/c.go a/c/b.go a/x/y/b.go *.go -ain.go größe.go !main.go'],
  ['**/*.go', 'main.go b.go a/b.go a/b/c.go a/c/b.go a/x/y/b.go *.go -ain.go größe.go !main.go'],
  ['*.go', 'main.go b.go *.go -ain.go größe.go !main.go'],
  ['a/**', 'a/b.go a/b/c.go a/c/b.go a/x/y/b.go a/.hidden'],
  ['a/**/b.go', 'a/b.go a/c/b.go a/x/y/b.go'],
  ['a/**b.go', 'a/b.go a/c/b.go a/x/y/b.go'],
  ['a/*/b.go', 'a/c/b.go'],
  ['a/***/b.go', 'a/c/b.go a/x/y/b.go'],
  ['**/b.go', 'b.go a/b.go a/c/b.go a/x/y/b.go'],
  ['**/docs/**', 'docs/x.md docs/a/x.md x/docs/y'],
  ['a/b{,/c}.go', 'a/b.go a/b/c.go'],
  ['{a/{b,c},x}/*.go', 'a/b/c.go a/c/b.go'],
  ['{foo\\,bar,go.*}', 'go.mod foo,bar'],
  ['foo,bar', 'foo,bar'],
  ['main.{go,ts}', 'main.go main.ts'],
  ['[mn]ain.go', 'main.go'],
  ['[a-m]ain.go', 'main.go -ain.go'],
  ['[^m]ain.go', '-ain.go'],
  ['a[^x]b.go', ''],
  ['?ain.go', 'main.go -ain.go'],
  ['\\*.go', '*.go'],
  ['a', 'a'],
  ['a/', ''],
  ['/main.go', ''],
  ['./main.go', ''],
  ['MAIN.GO', ''],
  ['!main.go', '!main.go'],
  ['x+(y)', 'x+(y)'],
  ['gr?ße.go', 'größe.go'],
  ['[]', ''],
  ['a}', ''],
  ['', ''],
])('%s matches %j', (pattern, expected) => {
  const glob = parseGlob(pattern);
  expect(files.filter((file) => matchesGlob(glob, file)).join(' ')).toBe(expected);
});

test('two asterisks match newlines too', () => {
  expect(matchesGlob(parseGlob('**/c'), 'a\nb/c')).toBe(true);
});

test.each([
  ['{a', 'the pattern `{a` has a `{` without `}`'],
  ['[a', 'the pattern `[a` has a `[` without `]`'],
  ['*'.repeat(20_001), 'is too large'],
])('rejects %s', (pattern, expected) => {
  expect(() => parseGlob(pattern)).toThrow(expected);
});

test('a step runs if one file is included and not excluded', () => {
  const rule = { include: ['a/**', 'go.mod'].map(parseGlob), exclude: [parseGlob('**.md')] };
  expect(holdsFor(rule, ['b', 'a/x.go'])).toBe(true);
  expect(holdsFor(rule, ['go.mod'])).toBe(true);
  expect(holdsFor(rule, ['a/x.md', 'b'])).toBe(false);
  expect(holdsFor(rule, [])).toBe(false);
  expect(holdsFor({ ...rule, include: [] }, ['a/x.go'])).toBe(false);
});
