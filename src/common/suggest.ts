import { distance } from 'fastest-levenshtein';

export function suggest(word: string, known: Iterable<string>): string | undefined {
  let best: { word: string; distance: number } | undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  for (const candidate of known) {
    // Skips the slow comparison if the lengths differ too much.
    if (Math.abs(word.length - candidate.length) > limit) continue;
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (edits <= limit && edits < (best?.distance ?? Infinity)) {
      best = { word: candidate, distance: edits };
    }
  }
  return best?.word;
}

/** Inserting, deleting or replacing a letter, or swapping two neighbors, counts as one edit. */
const editDistance = (a: string, b: string): number => (isSwap(a, b) ? 1 : distance(a, b));

function isSwap(a: string, b: string): boolean {
  const at = a.split('').findIndex((letter, index) => letter !== b[index]);
  const swapped = a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2);
  return at !== -1 && swapped === b;
}

export function didYouMean(word: string, known: Iterable<string>): string {
  const meant = suggest(word, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
