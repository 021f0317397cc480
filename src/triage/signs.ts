import { bare } from './bare.ts';
import { isCalm, isClosing, isDetail, isForgiven, isRemark, zeroCounts } from './noise.ts';
import { echoPatterns, signPatterns, wordPatterns, type Weighed } from './sign-patterns.ts';

/** How much a line says of why something failed, by itself: 0 nothing, 100 the reason. */
export function signOf(line: string, isRed: boolean): number {
  const text = bare(line);
  if (text.trim() === '' || isCalm(text) || isCalm(line) || isDetail(text) || isClosing(text))
    return 0;
  const counted = text.replace(zeroCounts, '');
  const words = counted.replace(paths, '/');
  const echo = best(echoPatterns, words);
  const sign = Math.max(best(signPatterns, counted), best(wordPatterns, words));
  // An echo may hold the words of a sign; only what names a place or a reason is above it.
  const found = echo > 0 && sign < 84 ? echo : sign;
  const weight = isRed ? Math.max(found + 6, 44) : found;
  if (sign < 94 && isForgiven(words)) return Math.min(weight, 8);
  return isRemark(text) ? Math.min(weight, 24) : weight;
}

/** Their names say nothing: `src/errors/failed.ts`. */
const paths = /[^\s"'`()=[\]]*\/[^\s"'`():=[\]]*/g;

const best = (patterns: readonly Weighed[], text: string): number =>
  patterns.reduce(
    (most, [pattern, weight]) => (weight > most && pattern.test(text) ? weight : most),
    0,
  );
