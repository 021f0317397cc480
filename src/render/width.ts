import stringWidth from 'string-width';

/** Columns that a text without line breaks takes on a terminal: wide characters and emojis two. */
export const widthOf = (text: string): number => stringWidth(text);

/** Its columns as far as `limit`: long texts are not read to their end. */
export const widthWithin = (text: string, limit: number): number =>
  isAscii(text) ? Math.min(text.length, limit) : fill(text, limit).width;

/** The text cut to `width` columns, with an ellipsis where something is missing. */
export function shorten(text: string, width: number): string {
  if (cut(text, width) === text) return text;
  return width < 1 ? '' : `${cut(text, width - 1).trimEnd()}…`;
}

/** The longest beginning that takes at most `width` columns; no character is torn apart. */
export const cut = (text: string, width: number): string =>
  isAscii(text) ? text.slice(0, width) : fill(text, width).kept;

/** Takes pieces until the next one would not fit; of plain text what does fit. */
function fill(text: string, available: number): { kept: string; width: number } {
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
    else for (const { segment } of segmenter.segment(run)) yield segment;
  }
}

const segmenter = new Intl.Segmenter();
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);
