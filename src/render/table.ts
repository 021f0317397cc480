import Table from 'cli-table3';
import { fitWidths, type Fitting } from './fit.ts';
import { isMissing, type Cell, type Field, plainText } from './cell.ts';
import { shortenStart, shorten, widthOf, widthWithin } from './width.ts';
import type { Colors } from './colors.ts';
import { withShortcodes, type WriteEmojis } from './shortcodes.ts';
import { stateColor, stateGlyph, stateLabel, stateText, type StateMarks } from './state.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { age, compactDuration, relativeTime } from './time.ts';

interface TableOptions extends CellOptions {
  /** Columns of the terminal; `Infinity` if unlimited. */
  readonly width: number;
  /** Whether empty columns are shown, as for `--fields`. Defaults to false */
  readonly keepsEmpty?: boolean;
}

/**
 * Draws a table of at most `width` columns. Text is truncated, and columns that do not fit are
 * omitted by priority. References are never truncated, even if the table becomes too wide.
 */
export function drawTable(
  fields: readonly Field[],
  elements: readonly object[],
  options: TableOptions,
): string {
  const columns = fields.map((field, at) => columnOf(field, at, elements, options));
  const filled = columns.filter(({ isEmpty }) => !isEmpty);
  const all = options.keepsEmpty === true || filled.length === 0 ? columns : filled;
  const shown =
    options.width < 100 && isTooWide(all, options.width) ? all.map(withFirstWords) : all;
  return drawGrid(rowsOf(shown, fitWidths(shown, options.width, gap)));
}

/** Spaces between columns. */
const gap = 2;

const isTooWide = (columns: readonly Column[], width: number): boolean =>
  columns.reduce((sum, { natural }) => sum + natural + gap, -gap) > width;

interface Column extends Fitting, Pick<Field, 'keeps' | 'firstWord'> {
  /** The heading, then the cells */
  readonly cells: readonly GridCell[];
  readonly isEmpty: boolean;
}

function columnOf(
  field: Field,
  at: number,
  elements: readonly object[],
  { width, ...cellOptions }: TableOptions,
): Column {
  const cells = elements.map((element) => field.read(element));
  const formatted = cells.map((cell) => formatCell(cell, cellOptions));
  const atEnd = cells.some(({ kind }) => isAtEnd(kind));
  const heading = { text: field.heading, paint: cellOptions.colors.bold };
  const places = [heading, ...formatted].map((cell) => ({ ...cell, isAtEnd: atEnd }));
  const whole = field.isReference === true;
  const { keeps, stays, least, isSpare, firstWord } = field;
  return {
    ...(keeps && { keeps }),
    ...{ stays, least, isSpare, firstWord: firstWord === true },
    cells: places,
    isEmpty: formatted.every(({ text }) => text === ''),
    natural: widest(places, whole ? Infinity : width),
    flexible: stays === true || cells.some(isFreeText),
    whole,
    priority: field.priority ?? at,
  };
}

function withFirstWords(column: Column): Column {
  if (column.firstWord !== true) return column;
  const cells = column.cells.map((cell) => ({ ...cell, text: cell.text.split(' ', 1)[0] ?? '' }));
  return { ...column, cells, natural: widest(cells, column.natural) };
}

const widest = (cells: readonly GridCell[], limit: number): number =>
  cells.reduce((width, cell) => Math.max(width, widthWithin(wholeText(cell), limit)), 0);

const wholeText = ({ text, tail }: GridCell): string =>
  tail === undefined ? text : `${text} ${tail}`;

/** Whether text may be truncated. A truncated number, ID or URL would be misleading. */
function isFreeText(cell: Cell): boolean {
  if (isMissing(cell.value) || neverShortened.has(cell.kind)) return false;
  return typeof cell.value !== 'string' || !uuid.test(cell.value);
}

const neverShortened = new Set<Cell['kind']>([
  'integer',
  'boolean',
  'state',
  'glyph',
  'words',
  'time',
  'took',
  'age',
  'url',
]);
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function rowsOf(columns: readonly Column[], widths: readonly (number | undefined)[]): GridCell[][] {
  const kept = columns.flatMap(({ cells, keeps }, at) => {
    const width = widths[at];
    if (width === undefined) return [];
    return [cells.map((cell) => ({ ...cell, text: shortened(cell, width, keeps) }))];
  });
  return (kept[0] ?? []).map((_, row) => kept.map((cells) => cells[row] ?? { text: '' }));
}

function shortened(cell: GridCell, width: number, keeps: Field['keeps']): string {
  if (cell.tail !== undefined && widthWithin(wholeText(cell), width + 1) > width) {
    const left = width - widthOf(cell.tail) - 1;
    if (left >= 2) return `${shorten(cell.text, left)} ${cell.tail}`;
  }
  return keeps === 'end' ? shortenStart(cell.text, width) : shorten(wholeText(cell), width);
}

/** Text and its color, which is applied after alignment. */
export interface GridCell {
  readonly text: string;
  readonly paint?: (text: string) => string;
  /** Kept if the text is truncated. */
  readonly tail?: string | undefined;
  /** Whether the text is right-aligned. Defaults to false */
  readonly isAtEnd?: boolean;
}

/** Draws rows in aligned columns without borders. */
export function drawGrid(rows: readonly (readonly GridCell[])[]): string {
  const widths = rows.map((row) => row.map(({ text }) => widthOf(text)));
  const colWidths = (widths[0] ?? []).map((_, at) =>
    widths.reduce((most, row) => Math.max(most, row[at] ?? 0), 1),
  );
  const gaps = gapsOf(colWidths);
  const line = (row: readonly GridCell[], own: readonly number[] = []): string =>
    gaps.map((gap, at) => gap + placed(row[at], own[at] ?? 0, colWidths[at] ?? 0)).join('');
  return rows.map((row, at) => `${line(row, widths[at]).trimEnd()}\n`).join('');
}

/** Omits a cell that does not fit. */
function placed(cell: GridCell | undefined, width: number, colWidth: number): string {
  const { text = '', paint = unpainted, isAtEnd = false } = cell ?? {};
  const [shown, blanks] = [width === 0 ? '' : paint(text), ' '.repeat(colWidth - width)];
  return isAtEnd ? blanks + shown : shown + blanks;
}

const unpainted = (text: string): string => text;

/**
 * The space before each column, computed by the table library from one row of letters that fill the
 * columns. The library does not draw the real rows: it takes 0.1 ms per row, and its character
 * widths follow an older Unicode version than those of terminals.
 */
function gapsOf(colWidths: number[]): string[] {
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };
  const table = new Table({ chars: noBorders, style, colWidths });
  table.push(colWidths.map((width) => 'x'.repeat(width)));
  return table.toString().split(/x+/).slice(0, colWidths.length);
}

const edges = ['top', 'bottom', 'left', 'right', 'mid'];
const corners = ['top-mid', 'top-left', 'top-right', 'bottom-mid', 'bottom-left', 'bottom-right'];
const crossings = ['left-mid', 'mid-mid', 'right-mid'];
const noBorders = {
  ...Object.fromEntries([...edges, ...corners, ...crossings].map((name) => [name, ''])),
  middle: '  ',
};

export interface CellOptions {
  readonly colors: Colors;
  /** Milliseconds since the epoch, for relative times. */
  readonly now: number;
  /** Replaces shortcodes in text that people wrote. By default, text is unchanged */
  readonly emojis?: WriteEmojis;
}

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

const isAtEnd = (kind: Cell['kind']): boolean =>
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
