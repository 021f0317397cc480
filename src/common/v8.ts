import { setFlagsFromString } from 'node:v8';

/** Limits heap growth from now on; otherwise a long list needs 50% more memory. */
export function growSlowly(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}

/**
 * Patterns that are created before the returned function is called are compiled to machine code
 * when they are first used. By default, V8 first compiles them to bytecode, which takes longer.
 */
export function compilePatterns(): () => void {
  setFlagsFromString('--regexp-tier-up-ticks=0');
  return () => setFlagsFromString('--regexp-tier-up-ticks=1');
}
