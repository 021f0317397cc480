import type { Colors } from './colors.ts';
import type { GridCell } from './grid.ts';
import { withShortcodes, type WriteEmojis } from './shortcodes.ts';
import { stateColor, stateGlyph, stateLabel, stateText, type StateMarks } from './state.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { age, compactDuration, relativeTime } from './time.ts';
import { isMissing, plainText, type Cell } from './cell.ts';

/** What formatting values for people needs besides the values. */
export interface CellOptions {
  readonly colors: Colors;
  /** Milliseconds since the epoch: times are shown relative to it. */
  readonly now: number;
  /** What writes the shortcodes of what people wrote; default: they stay. */
  readonly emojis?: WriteEmojis;
}

/** A value for people, on one line: states with glyph and colour, times relative. */
export function formatCell(cell: Cell, options: CellOptions): GridCell {
  const { kind, value } = cell;
  const { colors, now, emojis = withShortcodes } = options;
  if (isState(kind) && typeof value === 'string') return formatState(cell, value, colors);
  if (kind === 'took') return { text: tookText(value) };
  const text = cleanLine(plainText(value));
  if (kind === 'time') return { text: relativeTime(text, now), paint: colors.dim };
  if (kind === 'age') return { text: age(text, now), paint: colors.dim };
  return { text: kind === 'prose' ? cleanLine(emojis(text)) : text, tail: cell.tail };
}

/** Columns that are aligned at their ends. */
export const isAtEnd = (kind: Cell['kind']): boolean =>
  kind === 'integer' || kind === 'took' || kind === 'age';

const isState = (kind: Cell['kind']): boolean =>
  kind === 'state' || kind === 'glyph' || kind === 'words';

function formatState({ kind, parent }: Cell, state: string, colors: Colors): GridCell {
  const marks = (parent ?? {}) as StateMarks;
  const show = kind === 'glyph' ? stateGlyph : kind === 'words' ? stateText : stateLabel;
  return { text: show(state, marks), paint: colors[stateColor(state, marks)] };
}

const tookText = (seconds: unknown): string => {
  if (isMissing(seconds)) return '';
  return typeof seconds === 'number' ? compactDuration(seconds * 1000) : plainText(seconds);
};
