import { suggest } from '../../../common/suggest.ts';

/** `; did you mean …?` with the name in backticks, or nothing. */
export function didYouMeanCode(word: string, known: readonly string[]): string {
  const meant = suggest(word, known);
  return meant === undefined ? '' : `; did you mean \`${meant}\`?`;
}
