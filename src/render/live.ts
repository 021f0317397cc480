/** A few lines at the end of a terminal that are painted over and over, with text going by above. */
import { widthOf } from './width.ts';

export interface Painter {
  /** Puts these lines in place of those of the last time. */
  readonly paint: (lines: readonly string[]) => Promise<void>;
  /** Puts whole lines of text above them; they scroll away as everything on a terminal does. */
  readonly above: (text: string) => Promise<void>;
}

interface Screen {
  /** Columns now. */
  readonly width: number;
  readonly write: (data: string) => Promise<void>;
}

/** Every change is one write, so that no half of it is ever seen. */
export function createPainter(screen: Screen): Painter {
  let shown: readonly string[] = [];
  const replace = (text: string, lines: readonly string[]): Promise<void> => {
    const erase = back(rows(shown, screen.width));
    shown = lines;
    return screen.write(erase + text + lines.map((line) => `${line}\n`).join(''));
  };
  return {
    paint: (lines) => (same(lines, shown) ? Promise.resolve() : replace('', lines)),
    above: (text) => replace(text, shown),
  };
}

/** To the first column, `count` rows up, and nothing left from there on. */
const back = (count: number): string => (count === 0 ? '' : `\r\x1b[${count}A\x1b[J`);

/** Rows that lines take by now: the terminal may have become narrower since they were painted. */
const rows = (lines: readonly string[], width: number): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / width)), 0);

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, at) => line === other[at]);
