import { cleanLine } from '../common/untrusted-text.ts';
import { cut, widthOf } from './width.ts';

/** The line without escape sequences and control characters other than colours. */
export const printablePainted = (line: string): string =>
  line
    .split(capturedStyles)
    .map((piece, at) => (at % 2 === 1 ? piece : cleanLine(piece)))
    .join('');

/** A coloured line cut to `width` columns, with an ellipsis and its colours ended. */
export function clipPainted(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  let available = width - 1;
  let kept = '';
  for (const [at, piece] of line.split(capturedStyles).entries()) {
    if (at % 2 === 1) kept += piece;
    else {
      const part = cut(piece, available);
      kept += part;
      available -= widthOf(part);
      if (part !== piece) break;
    }
  }
  return `${kept}…${kept.includes('\x1b') ? '\x1b[0m' : ''}`;
}

/** Colours and weights; captured, so that splitting keeps them at odd places. */
const capturedStyles = /(\x1b\[[\d;:]*m)/;
