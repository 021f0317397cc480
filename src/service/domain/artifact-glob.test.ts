import { expect, test } from 'vitest';
import { globMatcher } from './artifact-glob.ts';

test.each([
  ['dist/app.js', 'dist/app.js', true],
  ['dist/app.js', 'dist/app-js', false],
  ['dist/app.js', 'x/dist/app.js', false],
  ['dist/*', 'dist/app.js', true],
  ['dist/*', 'dist/deep/er/app.js', true],
  ['dist/*', 'other/app.js', false],
  ['*.xml', 'reports/junit.xml', true],
  ['*.xml', 'reports/junit.xml.gz', false],
  ['*', '.hidden/file', true],
  ['dist/**', 'dist/a/b', true],
  ['dist/**/*', 'dist/index.html', true],
  ['dist/**/*.js', 'dist/a/b/c.js', true],
  ['**/x.txt', 'x.txt', true],
  ['**/x.txt', 'a/b/x.txt', true],
  ['**/x.txt', 'a/bx.txt', false],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['junit-[0-9].xml', 'junit-7.xml', true],
  ['junit-[0-9].xml', 'junit-x.xml', false],
  ['junit-[!0-9].xml', 'junit-x.xml', true],
  ['junit-[^x].xml', 'junit-x.xml', false],
  ['[x', '[x', true],
  ['out.{xml,json}', 'out.json', true],
  ['out.{xml,json}', 'out.txt', false],
  ['{a,b/{c,d}}/x', 'b/d/x', true],
  ['{a', '{a', true],
  ['./dist/*', 'dist/x', true],
  ['/abs/x', 'abs/x', true],
  ['\\*', '*', true],
  ['\\*', 'x', false],
  ['é?', 'é🎉', true],
  ['', 'x', false],
])('pattern %j, path %j: %s', (pattern, path, fits) => {
  expect(globMatcher(pattern)(path)).toBe(fits);
});

test('matches every pattern quickly', () => {
  const stars = globMatcher(`${'*a'.repeat(200)}b`);
  expect(stars('a'.repeat(2000))).toBe(false);
  const braces = globMatcher('{a,b}'.repeat(100));
  expect(braces('x')).toBe(false);
});
