/** Settings for fuzzing parsers: a fixed seed, which can be changed with the environment. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { CictlError } from '../../src/errors.ts';
import { isFull } from './is-full.ts';

/** The seed of every property. `CICTL_FUZZ_SEED=5 npx vitest run test/fuzz` tries other input. */
export const fuzzSeed = Number(process.env['CICTL_FUZZ_SEED'] ?? 20_261_122);

/** Multiplies the number of runs: `CICTL_FUZZ_RUNS=50`. */
const factor = Number(process.env['CICTL_FUZZ_RUNS'] ?? (isFull ? 1 : 0.1));

/** Parameters for `fc.assert`: the number of runs, and the seed. */
export const fuzzed = (runs: number) => ({
  seed: fuzzSeed,
  numRuns: Math.ceil(runs * factor),
});

/** The minimum number of cases that must occur in a full set of runs. A sample may contain none. */
export const bound = (count: number): number => (factor < 1 ? -1 : count);

/** Any text: all kinds of letters, lone surrogates, and characters with a special meaning. */
export function anyText(signs: readonly string[] = [], maxLength = 20): fc.Arbitrary<string> {
  // Not `unit: 'binary'`, whose tables take a second to create.
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

/** Returns the result or the error. The error must be of the given kind. */
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
