import { plain, type Style } from './style.ts';

/** As wide as the terminals in which jobs run; what is longer goes on in the next row. */
export const columns = 160;

/** What a cell looks like: its style, and the address that it links to. */
export interface CellStyle {
  readonly style: Style;
  /** Empty where there is none. */
  readonly link: string;
}

export const plainCell: CellStyle = { style: plain, link: '' };

/** One row of the screen. */
export interface Row {
  /** A code point each; `behind` where a wide character or a tab reaches; `cluster` for several. */
  readonly cells: Uint32Array;
  length: number;
  /** Left out where nothing but text is kept. */
  readonly cellStyles: CellStyle[] | undefined;
  /** Characters of several code points, by their columns. */
  clusters: Map<number, string> | undefined;
  /** Every cell is one character of ASCII. */
  isSimple: boolean;
  /** The time marks of the line as they came, for the first and for the last of them. */
  readonly marks: string[];
  /** A newline has ended it. */
  isEnded: boolean;
  /** It was full, and the line goes on in the next row. */
  isWrapped: boolean;
  /** It is there for the cursor alone: nothing was ever on it. */
  isVirtual: boolean;
}

/** The cell belongs to the character before. */
export const behind = 0xffffffff;
/** The characters of the cell are in `clusters`. */
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

/** Cells of rows that are done with: to allocate them anew costs more than to fill them. */
const spare: Uint32Array[] = [];
const mostSpare = 256;

/** Nothing is read of the row any more. */
export function recycle({ cells }: Row): void {
  if (spare.length < mostSpare) spare.push(cells);
}

/** A row of the same text and styles. */
export const copyOf = (row: Row): Row => ({
  ...row,
  cells: row.cells.slice(),
  cellStyles: row.cellStyles?.slice(),
  clusters: row.clusters && new Map(row.clusters),
  marks: [...row.marks],
});

/** Writes printable ASCII, which has to fit. */
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

/** Writes a character that takes `width` cells, which have to be there. */
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

/** Makes the cells from `x` to `end` free to be written, and the row long enough. */
function makeRoom(row: Row, x: number, end: number): void {
  if (x > row.length) blank(row, row.length, x);
  if (!row.isSimple) parTorn(row, x, end);
  if (end > row.length) row.length = end;
}

/** Of a wide character or a tab that is cut in two, spaces are left. */
export function parTorn(row: Row, start: number, end: number): void {
  const { cells, length } = row;
  let from = start;
  if (start < length) while (from > 0 && cells[from] === behind) from -= 1;
  let to = end;
  while (to < length && cells[to] === behind) to += 1;
  if (from < start) blank(row, from, start);
  if (to > end) blank(row, end, to);
}

/** Puts plain spaces. */
export function blank(row: Row, start: number, end: number): void {
  row.cells.fill(0x20, start, end);
  if (row.cellStyles) for (let x = start; x < end; x++) row.cellStyles[x] = plainCell;
}
