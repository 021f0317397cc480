import { bytesOf } from './budget.ts';

/**
 * Lines within a budget of bytes, whole ones where that leaves half of it: the first of them, or the
 * last.
 */
export function fitText(text: string, budget: number, part: 'start' | 'end'): string {
  if (bytesOf(text) <= budget) return text;
  return part === 'start' ? firstOf(text, budget) : lastOf(text, budget);
}

function firstOf(text: string, budget: number): string {
  const start = text.slice(
    0,
    largest(text.length, (n) => bytesOf(text.slice(0, n)) <= budget),
  );
  const line = start.lastIndexOf('\n') + 1;
  return line > start.length / 2 ? start.slice(0, line) : start.replace(/[\ud800-\udbff]$/, '');
}

function lastOf(text: string, budget: number): string {
  const from = (n: number): string => text.slice(text.length - n);
  const end = from(largest(text.length, (n) => bytesOf(from(n)) <= budget));
  if (text.endsWith(`\n${end}`)) return end;
  const line = end.indexOf('\n') + 1;
  return line > 0 && line < end.length / 2 ? end.slice(line) : end.replace(/^[\udc00-\udfff]/, '');
}

/** The largest number up to `most` that fits, where all below it fit too. */
function largest(most: number, fits: (n: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
