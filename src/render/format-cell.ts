import type { Colors } from './colors.ts';
import type { GridCell } from './grid.ts';
import { stateColor, stateLabel, type StateMarks } from './state.ts';
import { cleanLine } from './text.ts';
import { relativeTime } from './time.ts';
import { plainText, type Cell } from './cell.ts';

/** What formatting values for people needs besides the values. */
export interface CellOptions {
  readonly colors: Colors;
  /** Milliseconds since the epoch: times are shown relative to it. */
  readonly now: number;
}

/** A value for people, on one line: states with glyph and colour, times relative. */
export function formatCell({ kind, value, parent }: Cell, { colors, now }: CellOptions): GridCell {
  if (kind === 'state' && typeof value === 'string') {
    const marks = (parent ?? {}) as StateMarks;
    return { text: stateLabel(value, marks), paint: colors[stateColor(value, marks)] };
  }
  const text = cleanLine(plainText(value));
  return kind === 'time' ? { text: relativeTime(text, now), paint: colors.dim } : { text };
}
