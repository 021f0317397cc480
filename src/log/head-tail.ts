import type { Stage } from './stage.ts';
import { lineEnd, startOfLast } from './text.ts';

/** Passes on the first lines, then reports that it is done, so that the download can be stopped. */
export function head(count: number): Stage {
  let left = count;
  return {
    push(lines) {
      let end = 0;
      while (left > 0 && end < lines.length) {
        end = lineEnd(lines, end);
        if (lines[end - 1] === '\n') left -= 1;
      }
      return lines.slice(0, end);
    },
    end: () => '',
    done: () => left <= 0,
  };
}

export function tail(count: number): Stage {
  const blocks: { lines: string; count: number }[] = [];
  let total = 0;
  return {
    push(lines) {
      if (lines === '') return '';
      const block = { lines, count: countLines(lines) };
      blocks.push(block);
      total += block.count;
      while (blocks[0] !== undefined && total - blocks[0].count > count) {
        total -= blocks.shift()?.count ?? 0;
      }
      return '';
    },
    end() {
      const lines = blocks.map((block) => block.lines).join('');
      return lines.slice(startOfLast(lines, count));
    },
  };
}

/** Until `caughtUp` returns true, keeps only the last `count` lines. Then passes on all lines. */
export function tailThenAll(count: number, caughtUp: () => boolean): Stage {
  const last = tail(count);
  let passes = false;
  return {
    push(lines) {
      if (passes) return lines;
      last.push(lines);
      passes = caughtUp();
      return passes ? last.end() : '';
    },
    end: () => (passes ? '' : last.end()),
  };
}

function countLines(lines: string): number {
  let count = 0;
  for (let at = lines.indexOf('\n'); at >= 0; at = lines.indexOf('\n', at + 1)) count += 1;
  return count;
}
