import { plain, styleAfter, transition } from '../log/style.ts';
import { cut, widthOf } from '../render/width.ts';

export interface WrapOptions {
  /** Columns of each row, excluding a prefix. `Infinity` for a single row */
  readonly width: number;
  readonly indent?: number;
  /** Whether to break between words if possible. By default, breaks when a row is full */
  readonly byWords?: boolean;
}

/** Each row is independent: it starts by setting the current style and ends by resetting it. */
export function wrap(line: string, options: WrapOptions): string[] {
  if (widthOf(line) <= options.width) return [line];
  return spansOf(line.replaceAll(styles, ''), options).map(
    ([start, end], at) => ' '.repeat(at === 0 ? 0 : (options.indent ?? 0)) + part(line, start, end),
  );
}

function spansOf(text: string, { width, indent = 0, byWords = false }: WrapOptions) {
  const spans: (readonly [start: number, end: number])[] = [];
  for (let start = 0; start < text.length;) {
    const rest = text.slice(start);
    const room = Math.max(1, spans.length === 0 ? width : width - indent);
    const length =
      (byWords ? wordsWithin(rest, room) : 0) ||
      cut(rest, room).length ||
      // A character that is wider than the row is still shown.
      String.fromCodePoint(rest.codePointAt(0) ?? 0).length;
    spans.push([start, start + length]);
    start += length;
    if (byWords) while (text[start] === ' ') start += 1;
  }
  return spans;
}

function wordsWithin(text: string, room: number): number {
  const kept = cut(text, room);
  if (kept === text || text[kept.length] === ' ') return kept.trimEnd().length;
  return kept.slice(0, kept.lastIndexOf(' ') + 1).trimEnd().length;
}

function part(line: string, start: number, end: number): string {
  let at = 0;
  let before = '';
  let shown = '';
  for (const [index, piece] of line.split(captured).entries()) {
    if (index % 2 === 1) {
      if (at <= start) before += piece;
      else if (at < end) shown += piece;
      continue;
    }
    shown += piece.slice(Math.max(0, start - at), Math.max(0, end - at));
    at += piece.length;
  }
  const style = styleAfter(plain, before);
  return transition(plain, style) + shown + transition(styleAfter(style, shown), plain);
}

const styles = /\x1b\[[\d;:]*m/g;
const captured = /(\x1b\[[\d;:]*m)/;
