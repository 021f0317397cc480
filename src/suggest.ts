/** The closest of the known words, where it is close enough to be what was meant. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  let best: { word: string; distance: number } | undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  for (const candidate of known) {
    // Without it a word of a megabyte would be compared letter by letter.
    if (Math.abs(word.length - candidate.length) > limit) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && distance < (best?.distance ?? Infinity)) {
      best = { word: candidate, distance };
    }
  }
  return best?.word;
}

/** Insertions, deletions, replacements and swaps of neighbours, each counted as one. */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? at(older, j - 2) + 1 : Infinity;
      row.push(Math.min(at(before, j) + 1, at(row, j - 1) + 1, at(before, j - 1) + same, swap));
    }
    older = before;
    before = row;
  }
  return at(before, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;

/** `; did you mean list?`, or nothing: made to be put behind an error message. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const meant = suggest(word, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
