import type { LogLine } from './log-line.ts';

/**
 * Whether lines stand in a list that names things, such as `fetched errors in 3 ms` among
 * `fetched cart in 4 ms`: there a word like `errors` is a name.
 */
export function listedNames(lines: readonly LogLine[], signs: readonly number[]): boolean[] {
  const frames = lines.map(({ text }) => frameOf(text));
  return lines.map(({ text }, at) => {
    const sign = signs[at] ?? 0;
    return (
      sign > 0 && sign <= mostOfName && frames[at] !== '' && !verdict.test(text) && isListed(at)
    );
  });

  function isListed(at: number): boolean {
    const calm = [-3, -2, -1, 1, 2, 3].filter(
      (step) => frames[at + step] === frames[at] && signs[at + step] === 0,
    );
    return calm.length >= enoughCalm;
  }
}

const mostOfName = 50;
const enoughCalm = 2;

/** These are never the names of things. */
const verdict =
  /\b(?:failed|fails|fatal|cannot|can't|could not|unable|invalid|missing|denied|differ\w*|mismatch|unexpected)\b/i;

/** What lines of a list have in common: the first and the last word, and how many there are. */
function frameOf(text: string): string {
  const words = text.slice(0, 300).trim().split(/\s+/);
  const outer = [words[0] ?? '', words.at(-1) ?? ''].map((word) => word.replace(/\d+/g, 'N'));
  return words.length < 3 ? '' : [...outer, words.length].join(' ');
}
