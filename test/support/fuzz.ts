/** How parsers are fuzzed: one seed for all of them, others and more runs by the environment. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { CictlError } from '../../src/errors.ts';
import { isFull } from './is-full.ts';

/** What each property begins with: `CICTL_FUZZ_SEED=5 npx vitest run test/fuzz` tries other input. */
export const fuzzSeed = Number(process.env['CICTL_FUZZ_SEED'] ?? 20_261_122);

/** Times as much of it: `CICTL_FUZZ_RUNS=50`. */
const factor = Number(process.env['CICTL_FUZZ_RUNS'] ?? (isFull ? 1 : 0.1));

/** For `fc.assert`: so many runs in the suite, all with the one seed. */
export const fuzzed = (runs: number) => ({
  seed: fuzzSeed,
  numRuns: Math.ceil(runs * factor),
});

/** The bound of cases that have to occur, in all runs together; in a sample of them none may. */
export const bound = (count: number): number => (factor < 1 ? -1 : count);

/** Any text: of letters of all kinds, half ones too, and of the signs that mean something somewhere. */
export function anyText(signs: readonly string[] = [], maxLength = 20): fc.Arbitrary<string> {
  // Not by `unit: 'binary'`, whose tables take a second to make.
  const unit = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...defaultSigns) },
    { weight: 1, arbitrary: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) },
    { weight: signs.length > 0 ? 10 : 0, arbitrary: fc.constantFrom(...signs, 'a') },
  );
  return fc.array(unit, { maxLength }).map((units) => units.join(''));
}

const defaultSigns = [
  ...['a', 'B', '0', '1', '9', '-', '.', '..', '_', ' ', '\t', '\n', '\r', '\0', '\x1b', '\x7f'],
  ...[
    '/',
    '\\',
    '?',
    '#',
    '%',
    '&',
    '=',
    ':',
    ';',
    ',',
    '@',
    '"',
    "'",
    '`',
    '$',
    '{',
    '}',
    '(',
    ')',
  ],
  ...['[', ']', '<', '>', '|', '!', '*', '+', '~', '^', 'ü', '€', '日', '🚀', '\u0301', '\u202e'],
  ...['\ufeff', '\u2028', '\u00a0', '\ud800', '\udc00', '__proto__', 'constructor', 'null', 'true'],
];

/** What comes of it, or the message of its error, which is to be one of this kind and no other. */
export function valueOrError<T>(
  read: () => T,
  kind: CictlError['kind'],
): { value: T } | { error: CictlError } {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof CictlError)) throw error;
    expect(error.kind).toBe(kind);
    expect(error.message).not.toMatch(/\[object Object\]|\bundefined\b/);
    return { error };
  }
}
