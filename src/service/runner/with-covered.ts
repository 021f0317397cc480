/** Descriptors that a new process is not to inherit, though Node leaves them open. */

/** The outer ends of terminals that are open now: they are not closed when another program begins. */
export const outerEnds = new Set<number>();

type Stream = 'ignore' | 'ipc' | number;

/** The same streams, and `cover` under each of these numbers that they leave free. */
export function withCovered(
  streams: readonly Stream[],
  numbers: Iterable<number>,
  cover: number,
): Stream[] {
  const all = [...streams];
  for (const number of numbers) {
    while (all.length <= number) all.push('ignore');
    if (number > 2 && all[number] === 'ignore') all[number] = cover;
  }
  return all;
}
