import { cut, widthOf } from '../render/width.ts';

/** The text in at most `width` columns: of a longer one its end, which tells branches apart. */
export function keepEnd(text: string, width: number): string {
  const columns = widthOf(text);
  if (columns <= width) return text;
  if (width < 2) return '';
  // A wide character that is cut in two leaves a column.
  let missing = cut(text, columns - width + 1);
  while (widthOf(text.slice(missing.length)) > width - 1) {
    const longer = cut(text, widthOf(missing) + 2);
    if (longer.length === missing.length) return '';
    missing = longer;
  }
  return `…${text.slice(missing.length)}`;
}
