import { widthOf } from '../render/width.ts';

/** A line, coloured or not, with blanks in place of its tabs: what stands before it shifts no column. */
export function untab(line: string): string {
  if (!line.includes('\t')) return line;
  let shown = '';
  let column = 0;
  for (const [at, piece] of line.split('\t').entries()) {
    const blanks = at === 0 ? 0 : tabWidth - (column % tabWidth);
    shown += ' '.repeat(blanks) + piece;
    column += blanks + widthOf(piece);
  }
  return shown;
}

const tabWidth = 8;
