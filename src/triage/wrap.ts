import { plain, styleAfter, transition } from '../log/style.ts';
import { cut, widthOf } from '../render/width.ts';

export interface WrapOptions {
  /** Columns of each row, what stands before it not counted; `Infinity` for one row. */
  readonly width: number;
  /** Blanks that the rows after the first begin with. Default 0. */
  readonly indent?: number;
  /** Break between words where there are any. Default: wherever a row is full. */
  readonly byWords?: boolean;
}

/**
 * A line, coloured or not, as rows that fit into a width. Each row stands alone: it begins with the
 * style in force and leaves none behind. Tabs have no width here.
 */
export function wrap(line: string, options: WrapOptions): string[] {
  if (widthOf(line) <= options.width) return [line];
  return spansOf(line.replaceAll(styles, ''), options).map(
    (span, at) => ' '.repeat(at === 0 ? 0 : (options.indent ?? 0)) + part(line, span),
  );
}

interface Span {
  /** Places in the text without its styles. */
  readonly start: number;
  readonly end: number;
}

function spansOf(text: string, { width, indent = 0, byWords = false }: WrapOptions): Span[] {
  const spans: Span[] = [];
  for (let start = 0; start < text.length;) {
    const rest = text.slice(start);
    const room = Math.max(1, spans.length === 0 ? width : width - indent);
    const length =
      (byWords ? wordsWithin(rest, room) : 0) || cut(rest, room).length || oneCharacter(rest);
    spans.push({ start, end: start + length });
    start += length;
    if (byWords) while (text[start] === ' ') start += 1;
  }
  return spans;
}

/** Shown all the same where the room is too narrow for it. */
const oneCharacter = (text: string): number =>
  String.fromCodePoint(text.codePointAt(0) ?? 0).length;

/** The length of the words that fit; 0 where the first one does not. */
function wordsWithin(text: string, room: number): number {
  const kept = cut(text, room);
  if (kept === text || text[kept.length] === ' ') return kept.trimEnd().length;
  return kept.slice(0, kept.lastIndexOf(' ') + 1).trimEnd().length;
}

/** The part of a painted line, with the style that is in force where it begins. */
function part(line: string, { start, end }: Span): string {
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
