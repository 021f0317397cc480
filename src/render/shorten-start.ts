import { widthOf, widthWithin } from './width.ts';

/** The end of a text, in `width` columns at most, with an ellipsis where its beginning is missing. */
export function shortenStart(text: string, width: number): string {
  if (widthWithin(text, width + 1) <= width) return text;
  if (width < 1) return '';
  let kept = '';
  for (const character of charactersOf(text).reverse()) {
    if (widthOf(character + kept) > width - 1) break;
    kept = character + kept;
  }
  return `…${kept}`;
}

/** As readers see them: a letter with its accents, a whole emoji. */
const charactersOf = (text: string): string[] =>
  /^[ -~]*$/.test(text)
    ? text.split('')
    : Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
