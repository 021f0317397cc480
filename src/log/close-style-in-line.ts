import type { Stage } from './stage.ts';
import { plain, styleAfter, transition, type Style } from './style.ts';

/**
 * For a log that something else follows: the style is ended on its last line that shows something,
 * where a reset of our own, or of the log, would stand alone below it.
 */
export function closeStyleInLine(): Stage {
  /** Before the rest, which is newlines and styles alone, and begins with a newline. */
  let style: Style = plain;
  let rest = '';
  return {
    push(lines) {
      const all = rest + lines;
      const start = startOfRest(all);
      const shown = all.slice(0, start);
      rest = all.slice(start);
      style = styleAfter(style, shown);
      return shown;
    },
    end: () => transition(style, plain) + rest.replace(/[^\n]/g, ''),
  };
}

/** So that memory stays flat, whatever number of blank lines a log ends with. */
const longestRest = 64 * 1024;

function startOfRest(lines: string): number {
  let at = lines.length;
  while (at > 0) {
    const before = lines[at - 1] === '\n' ? at - 1 : startOfStyle(lines, at);
    if (before < 0) break;
    at = before;
  }
  const newline = lines.indexOf('\n', Math.max(at, lines.length - longestRest));
  return newline < 0 ? lines.length : newline;
}

/** Where the colour sequence begins that ends at `end`; -1 where none does. */
function startOfStyle(lines: string, end: number): number {
  if (lines[end - 1] !== 'm') return -1;
  const start = lines.lastIndexOf('\x1b[', end - 1);
  return start >= 0 && /^\x1b\[[\d;:]*m$/.test(lines.slice(start, end)) ? start : -1;
}
