import { plain, type Style, transition } from '../style.ts';
import type { Keep } from '../sequences.ts';
import { toBytes } from '../text.ts';

/** The terminal width for jobs. Longer lines wrap. */
export const columns = 160;

export interface CellStyle {
  readonly style: Style;
  readonly link: string;
}

export const plainCell: CellStyle = { style: plain, link: '' };

export interface Row {
  /** Code points; `behind` for the rest of a wide character; `cluster` for several code points */
  readonly cells: Uint32Array;
  length: number;
  /** Undefined if styles are not kept */
  readonly cellStyles: CellStyle[] | undefined;
  clusters: Map<number, string> | undefined;
  isSimple: boolean;
  /** The unparsed time marks that determine the first and last time of the line */
  readonly marks: string[];
  isEnded: boolean;
  /** Whether the row is full and its line continues in the next row */
  isWrapped: boolean;
  /** Whether the row was never written to, and exists only because the cursor was moved past it */
  isVirtual: boolean;
}

/** The cell belongs to the character before it. */
export const behind = 0xffffffff;
/** The cell has several code points, which are in `clusters`. */
export const cluster = 0x110000;

export const newRow = (isStyled: boolean): Row => ({
  cells: spare.pop() ?? new Uint32Array(columns),
  length: 0,
  cellStyles: isStyled ? [] : undefined,
  clusters: undefined,
  isSimple: true,
  marks: [],
  isEnded: false,
  isWrapped: false,
  isVirtual: false,
});

const spare: Uint32Array[] = [];
const mostSpare = 256;

export function recycle({ cells }: Row): void {
  if (spare.length < mostSpare) spare.push(cells);
}

export const copyOf = (row: Row): Row => ({
  ...row,
  cells: row.cells.slice(),
  cellStyles: row.cellStyles?.slice(),
  clusters: row.clusters && new Map(row.clusters),
  marks: [...row.marks],
});

export function putAscii(
  row: Row,
  x: number,
  bytes: Uint8Array,
  range: { readonly from: number; readonly to: number },
  cellStyle: CellStyle,
): void {
  const end = x + range.to - range.from;
  const { cells, cellStyles } = row;
  makeRoom(row, x, end);
  for (let column = x, at = range.from; column < end; column++, at++) {
    cells[column] = bytes[at] as number;
  }
  if (cellStyles) for (let column = x; column < end; column++) cellStyles[column] = cellStyle;
}

export function putCharacter(
  row: Row,
  x: number,
  character: { readonly code: number; readonly width: number },
  cellStyle: CellStyle,
): void {
  const end = x + character.width;
  makeRoom(row, x, end);
  row.cells.fill(behind, x, end);
  row.cells[x] = character.code;
  if (row.cellStyles) for (let at = x; at < end; at++) row.cellStyles[at] = cellStyle;
  if (character.code > 0x7e || character.code < 0x20) row.isSimple = false;
}

function makeRoom(row: Row, x: number, end: number): void {
  if (x > row.length) blank(row, row.length, x);
  if (!row.isSimple) parTorn(row, x, end);
  if (end > row.length) row.length = end;
}

/** If a wide character or tab was split, replaces its remaining cells with spaces. */
function parTorn(row: Row, start: number, end: number): void {
  const { cells, length } = row;
  let from = start;
  if (start < length) while (from > 0 && cells[from] === behind) from -= 1;
  let to = end;
  while (to < length && cells[to] === behind) to += 1;
  if (from < start) blank(row, from, start);
  if (to > end) blank(row, end, to);
}

function blank(row: Row, start: number, end: number): void {
  row.cells.fill(0x20, start, end);
  if (row.cellStyles) for (let x = start; x < end; x++) row.cellStyles[x] = plainCell;
}

export function clearCells(row: Row, start: number, end: number): void {
  if (start >= row.length) return;
  const isRest = end >= row.length;
  if (isRest && start === 0) clearRow(row);
  else {
    parTorn(row, start, Math.min(end, row.length));
    if (isRest) truncate(row, start);
    else blank(row, start, end);
  }
}

/** Keeps the array of styles, because it would be slow to allocate another one for new text. */
function clearRow(row: Row): void {
  row.length = 0;
  row.isWrapped = false;
  row.isSimple = true;
}

export function truncate(row: Row, width: number): void {
  if (width >= row.length) return;
  if (row.cells[width] === behind) parTorn(row, width, row.length);
  row.length = width;
  row.isWrapped = false;
  if (row.cellStyles) row.cellStyles.length = width;
  if (width === 0) row.isSimple = true;
}

export function deleteFrom(row: Row, x: number, count: number): void {
  const end = Math.min(row.length, x + count);
  if (end <= x) return;
  parTorn(row, x, end);
  blankTabs(row, end);
  shiftClusters(row, end, x - end);
  row.cells.copyWithin(x, end, row.length);
  row.cellStyles?.splice(x, end - x);
  row.length -= end - x;
  row.isWrapped = false;
}

export function insertInto(row: Row, x: number, count: number): void {
  if (x >= row.length) return;
  const inserted = Math.min(count, columns - x);
  const length = Math.min(columns, row.length + inserted);
  parTorn(row, x, x);
  blankTabs(row, x);
  shiftClusters(row, x, inserted);
  row.cells.copyWithin(x + inserted, x, length - inserted);
  row.cellStyles?.splice(x, 0, ...Array<CellStyle>(inserted).fill(plainCell));
  row.length = length;
  if (row.cellStyles) row.cellStyles.length = length;
  blank(row, x, x + inserted);
}

/** Replaces tabs with spaces, because a tab would have a different width in another column. */
function blankTabs({ cells, length }: Row, from: number): void {
  for (let x = cells.indexOf(tab, from); x >= 0 && x < length; x = cells.indexOf(tab, x)) {
    do cells[x++] = space;
    while (x < length && cells[x] === behind);
  }
}

const tab = 0x09;
const space = 0x20;

function shiftClusters(row: Row, from: number, by: number): void {
  if (row.clusters === undefined) return;
  row.clusters = new Map(
    Array.from(row.clusters, ([x, text]) => [x >= from ? x + by : x, text] as const),
  );
}

const longestCluster = 32;

export function combine(row: Row, x: number, character: string): boolean {
  let at = x - 1;
  if (at < 0 || at >= row.length) return false;
  while (at > 0 && row.cells[at] === behind) at -= 1;
  const before = textOf(row, at);
  if (before.length < longestCluster) {
    row.clusters ??= new Map();
    row.clusters.set(at, before + character);
    row.cells[at] = cluster;
    row.isSimple = false;
  }
  return true;
}

const textOf = (row: Row, at: number): string =>
  row.cells[at] === cluster
    ? (row.clusters?.get(at) ?? '')
    : String.fromCodePoint(row.cells[at] as number);

/** Each cell has at most four bytes, because clusters are not written here. */
const scratch = Buffer.alloc(columns * 4);

/**
 * Returns the bytes of a row without its newline, and the style at its end. `pen` is the style
 * before the row.
 */
export function rowBytes(
  row: Row,
  pen: Style,
  keep: Keep,
): { readonly bytes: string; readonly pen: Style } {
  const marks = keep.marks === true && row.marks.length > 0 ? row.marks.join('') : '';
  const { cellStyles } = row;
  if (cellStyles === undefined) return { bytes: marks + cellBytes(row, 0, row.length), pen };
  let bytes = marks;
  let link = '';
  for (let x = 0; x < row.length;) {
    const cellStyle = cellStyles[x] ?? plainCell;
    if (keep.links === true && cellStyle.link !== link) bytes += linkTo((link = cellStyle.link));
    if (keep.colours === true) bytes += transition(pen, (pen = cellStyle.style));
    const start = x;
    while (x < row.length && cellStyles[x] === cellStyle) x += 1;
    bytes += cellBytes(row, start, x);
  }
  if (link !== '') bytes += linkTo('');
  if (goesOn(row)) return { bytes, pen };
  return { bytes: bytes + (keep.colours === true ? transition(pen, plain) : ''), pen: plain };
}

const linkTo = (address: string): string => `\x1b]8;;${toBytes(address)}\x07`;

export const goesOn = (row: Row): boolean =>
  row.isWrapped && !row.isEnded && row.length === columns;

function cellBytes(row: Row, start: number, end: number): string {
  const { cells } = row;
  let text = '';
  let length = 0;
  for (let x = start; x < end; x++) {
    const code = cells[x] as number;
    if (code < 0x80) scratch[length++] = code;
    else if (code < cluster) length = encode(code, length);
    else if (code !== behind) {
      text += scratch.toString('latin1', 0, length) + toBytes(row.clusters?.get(x) ?? '');
      length = 0;
    }
  }
  return text + scratch.toString('latin1', 0, length);
}

/** Writes a non-ASCII character as UTF-8. Returns the next offset. */
function encode(code: number, at: number): number {
  if (code < 0x800) scratch[at++] = 0xc0 | (code >> 6);
  else {
    if (code < 0x10000) scratch[at++] = 0xe0 | (code >> 12);
    else {
      scratch[at++] = 0xf0 | (code >> 18);
      scratch[at++] = 0x80 | ((code >> 12) & 0x3f);
    }
    scratch[at++] = 0x80 | ((code >> 6) & 0x3f);
  }
  scratch[at++] = 0x80 | (code & 0x3f);
  return at;
}
