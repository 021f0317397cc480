import { behind, cluster, columns, plainCell, type Row } from './row.ts';
import type { Keep } from './sequences.ts';
import { plain, transition, type Style } from './style.ts';
import { toBytes } from './text.ts';

/** Every cell takes four bytes at most, but for clusters, which are not written here. */
const scratch = Buffer.alloc(columns * 4);

/** The bytes of a row without newline. */
export interface RowBytes {
  readonly bytes: string;
  /** The style that they leave behind: none, unless the line goes on in the next row. */
  readonly pen: Style;
}

/** `pen` is the style that the row before left. */
export function rowBytes(row: Row, pen: Style, keep: Keep): RowBytes {
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

/** Whether its line goes on in the next row. */
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

/** Writes a character beyond ASCII as UTF-8; returns where the next one goes. */
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
