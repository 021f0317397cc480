import { emojiAt } from '../../log/html/write-text.ts';

/**
 * Markup whose tags are closed in order, with the emojis of shortcodes in its texts: `:rocket:` is their title. What
 * is shown as it was written, as code is, stays.
 */
export function withEmojis(html: string): string {
  let verbatim = 0;
  return html
    .split(/(<[^>]*>)/)
    .map((piece) => {
      const [, slash, tag] = /^<(\/?)(code|pre|kbd|samp)\b/.exec(piece) ?? [];
      if (tag !== undefined) verbatim += slash === '' ? 1 : -1;
      return verbatim > 0 || piece.startsWith('<') ? piece : inText(piece);
    })
    .join('');
}

/** One begins a word, or stands in brackets. */
const inText = (text: string): string =>
  text.replace(/(?<![^\s([]):[\w+-]+:/g, (code, at: number) => {
    const bytes = Buffer.from(text.slice(at, at + code.length + 1));
    const emoji = emojiAt(bytes, 0);
    return emoji === undefined ? code : Buffer.from(emoji.markup).toString();
  });
