import stringWidth from 'string-width';
import { simpleWidth } from './simple-width.ts';

/**
 * Columns that a text without line breaks takes on a terminal: wide characters and emojis two,
 * colours none.
 */
export const widthOf = (text: string): number =>
  simpleWidth(text.includes('\x1b') ? text.replace(styles, '') : text) ?? stringWidth(text);

const styles = /\x1b\[[\d;:]*m/g;

/** Its columns as far as `limit`: long texts are not read to their end. */
export const widthWithin = (text: string, limit: number): number =>
  isAscii(text) ? Math.min(text.length, limit) : measure(text, limit).width;

/** The text cut to `width` columns, with an ellipsis where something is missing. */
export function shorten(text: string, width: number): string {
  if (cut(text, width) === text) return text;
  return width < 1 ? '' : `${cut(text, width - 1).trimEnd()}…`;
}

/** The longest beginning that takes at most `width` columns; no character is torn apart. */
export const cut = (text: string, width: number): string =>
  isAscii(text) ? text.slice(0, width) : measure(text, width).kept;

interface Measured {
  readonly kept: string;
  readonly width: number;
}

/** The common case at one look: a short text that fits. */
function measure(text: string, available: number): Measured {
  const width = text.length > available ? undefined : simpleWidth(text);
  return width !== undefined && width <= available ? { kept: text, width } : fill(text, available);
}

/** Takes pieces until the next one would not fit; of plain text what does fit. */
function fill(text: string, available: number): Measured {
  let width = 0;
  let kept = '';
  for (const piece of pieces(text)) {
    const more = isAscii(piece) ? piece.length : widthOf(piece);
    if (width + more > available) {
      return {
        kept: isAscii(piece) ? kept + piece.slice(0, available - width) : kept,
        width: available,
      };
    }
    width += more;
    kept += piece;
  }
  return { kept, width };
}

/**
 * A text in parts that must not be torn: single characters as readers see them (a letter with its
 * accents, a whole emoji), and between them runs of plain ASCII, which take no time to measure.
 */
function* pieces(text: string): Generator<string> {
  for (const [run] of text.matchAll(/[ -~]+(?=[ -~]|$)|[ -~]?[^ -~]+/g)) {
    if (isAscii(run)) yield run;
    else if (simpleWidth(run) !== undefined) yield* run;
    else for (const { segment } of characters(run)) yield segment;
  }
}

let segmenter: Intl.Segmenter | undefined;
/** Made where there is something for it to do: that takes 13 ms. */
const characters = (run: string): Intl.Segments =>
  (segmenter ??= new Intl.Segmenter()).segment(run);
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);
