import { expect, test } from 'vitest';
import { branchMatches } from './branches.ts';

test.each([
  [null, 'main', true],
  ['', 'main', true],
  [[], 'main', true],
  ['main', 'main', true],
  ['main', 'main2', false],
  ['main dev', 'dev', true],
  [['main', 'dev'], 'dev', true],
  [['main dev', 'x'], 'dev', true],
  ['release/*', 'release/1.2/x', true],
  ['release/*', 'release', false],
  ['*', '', true],
  ['*-fix', 'a-fix', true],
  ['*-fix', 'a-fix-b', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['f.x', 'fxx', false],
  ['!main', 'main', false],
  ['!main', 'dev', true],
  ['!main', '', true],
  ['!wip/* !main', 'wip/x', false],
  ['feature/* !feature/old*', 'feature/new', true],
  ['feature/* !feature/old*', 'feature/older', false],
  [['!a', '!b'], 'c', true],
  [null, 'main', true],
  ['', 'main', true],
  ['main', 'main', true],
  ['main', 'mainly', false],
  ['main', 'Main', false],
  ['release/*', 'release/1.0', true],
  ['release/*', 'release', false],
  ['*', 'a/b', true],
  ['main release/*', 'release/1', true],
  ['!wip', 'wip', false],
  ['!wip', 'main', true],
  ['!wip-* feature/*', 'feature/x', true],
  ['!wip-* feature/*', 'main', false],
  ['* !*-wip', 'a-wip', false],
  ['*', 'a\nb', true],
  [' main\t release/*  ', 'release/1', true],
  ['xmain *', 'main', true],
  ['a.c', 'abc', false],
  ['a+(b)', 'a+(b)', true],
] as const)('pattern %j on branch %s: %j', (filter, branch, expected) => {
  expect(branchMatches(filter, branch)).toBe(expected);
});

test('many asterisks take no more time than few', () => {
  expect(branchMatches('*a'.repeat(200), `${'a'.repeat(20_000)}b`)).toBe(false);
});
