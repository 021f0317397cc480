import { distance } from 'fastest-levenshtein';

/** The closest of the known words, where it is close enough to be what was meant. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  let best: { word: string; distance: number } | undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  for (const candidate of known) {
    // Without it a word of a megabyte would be compared letter by letter.
    if (Math.abs(word.length - candidate.length) > limit) continue;
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (edits <= limit && edits < (best?.distance ?? Infinity)) {
      best = { word: candidate, distance: edits };
    }
  }
  return best?.word;
}

/** Insertions, deletions and replacements, each counted as one, and so is one swap of neighbours. */
const editDistance = (a: string, b: string): number => (isSwap(a, b) ? 1 : distance(a, b));

/** The commonest slip of all, which the library counts as two. */
function isSwap(a: string, b: string): boolean {
  const at = a.split('').findIndex((letter, index) => letter !== b[index]);
  const swapped = a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2);
  return at !== -1 && swapped === b;
}

/** `; did you mean list?`, or nothing: made to be put behind an error message. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const meant = suggest(word, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
