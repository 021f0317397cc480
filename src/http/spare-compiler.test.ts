import { expect, test } from 'vitest';
import { compilerFlag } from './spare-compiler.ts';

test.each([
  ['20.19.0', '--liftoff-only'],
  ['20.20.2', '--liftoff-only'],
  ['22.12.0', undefined],
  ['24.0.0', undefined],
  ['26.1.0', undefined],
])('Node %s compiles with %s', (version, flag) => {
  expect(compilerFlag(version)).toBe(flag);
});
