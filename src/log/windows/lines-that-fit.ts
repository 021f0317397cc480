import type { Block } from './window-blocks.ts';
import type { Lines, WindowOptions } from './window-options.ts';

/** The lines that fit, together with the folded ones between them. */
export function linesThatFit(
  blocks: readonly Block[],
  { range, anchor, most }: WindowOptions,
): Lines {
  const line =
    anchor.side === 'before'
      ? Math.min(Math.max(anchor.line, range.from + 1), range.to)
      : Math.max(Math.min(anchor.line, range.to - 1), range.from);
  const back = { from: 0, before: most, at: Math.floor(most * 0.4) }[anchor.side];
  return { from: goBack(blocks, line, back), to: goOn(blocks, line, most - back) };
}

/** Before which line so many shown ones end that begin with a line. */
function goOn(blocks: readonly Block[], line: number, most: number): number {
  let at = line;
  let left = most;
  for (const block of blocks) {
    if (left <= 0) break;
    if (block.to <= at) continue;
    const count = block.isFolded ? 1 : Math.min(left, block.to - at);
    at = block.isFolded ? block.to : at + count;
    left -= count;
  }
  return at;
}

/** With which line so many shown ones begin that end before a line. */
function goBack(blocks: readonly Block[], line: number, most: number): number {
  let at = line;
  let left = most;
  for (const block of blocks.toReversed()) {
    if (left <= 0) break;
    if (block.from >= at) continue;
    const count = block.isFolded ? 1 : Math.min(left, at - block.from);
    at = block.isFolded ? block.from : at - count;
    left -= count;
  }
  return at;
}
