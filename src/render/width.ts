import stringWidth from 'string-width';

/** Columns that a text without line breaks takes on a terminal: wide characters and emojis two. */
export const widthOf = (text: string): number => stringWidth(text);

/** The text cut to `width` columns, with an ellipsis where something is missing. */
export function shorten(text: string, width: number): string {
  if (text.length <= width && isAscii(text)) return text;
  if (widthOf(text) <= width) return text;
  return width < 1 ? '' : `${cut(text, width - 1).trimEnd()}…`;
}

/** The longest beginning that takes at most `width` columns; no character is torn apart. */
export function cut(text: string, width: number): string {
  if (isAscii(text)) return text.slice(0, width);
  let taken = 0;
  let kept = '';
  for (const { segment } of characters(text)) {
    taken += widthOf(segment);
    if (taken > width) break;
    kept += segment;
  }
  return kept;
}

/** What a reader sees as single characters: a letter with its accents, a whole emoji. */
export const characters = (text: string): Intl.Segments => segmenter.segment(text);

const segmenter = new Intl.Segmenter();
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);
