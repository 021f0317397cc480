import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow slowly from here on: for what reads much and keeps little of it. V8 would rather
 * let twice as much garbage lie than collect it, which costs a long list half as much memory again.
 */
export function growSlowly(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}
