import { escapeHtml } from './escape.ts';
import { asciiBytes, newMarkup, put, take, type Markup } from './markup.ts';
import { emojiAt } from './shortcodes.ts';

/** What a byte of text can become at most: `:a:` with its emoji and title has 32. */
export const mostGrowth = 12;

interface Piece {
  readonly from: number;
  readonly to: number;
  /** Where its text begins, as at the beginning of a word. */
  readonly start: number;
}

/**
 * Writes text up to the next escape or newline, or to the end of the piece, with `<` and the like as entities and
 * the emojis of shortcodes; there must be room for it. Returns where it ends.
 */
export function writeText(markup: Markup, bytes: Uint8Array, piece: Piece): number {
  const target = markup.bytes;
  const { from, to: end, start } = piece;
  let to = markup.length;
  let at = from;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    const kind = kinds[byte] as number;
    if (kind === ordinary) target[to++] = byte;
    else if (kind === last) break;
    else {
      markup.length = to;
      at = writeSpecial(markup, bytes, at, at === start || isBefore(bytes[at - 1] as number));
      to = markup.length;
    }
  }
  markup.length = to;
  return at;
}

/** The same for a byte string of its own. */
export function textMarkup(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const markup = newMarkup(bytes.length * mostGrowth);
  const { length } = bytes;
  for (let at = 0; at < length; at++)
    at = writeText(markup, bytes, { from: at, to: length, start: at });
  return take(markup);
}

const ordinary = 0;
const last = 1;
const colon = 0x3a;
const entities = Array.from({ length: 128 }, (_, code) =>
  asciiBytes(escapeHtml(String.fromCharCode(code))),
);
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x0a || byte === 0x1b) return last;
  return byte === colon || (entities[byte]?.length ?? 1) > 1 ? 2 : ordinary;
});

/** What a shortcode may follow: a blank, or a bracket. */
const isBefore = (byte: number): boolean => byte <= 0x20 || byte === 0x28 || byte === 0x5b;

/** Returns the place of the last byte that was read. */
function writeSpecial(markup: Markup, bytes: Uint8Array, at: number, apart: boolean): number {
  const byte = bytes[at] as number;
  const emoji = byte === colon && apart ? emojiAt(bytes, at) : undefined;
  if (emoji === undefined) {
    put(markup, entities[byte] as Uint8Array);
    return at;
  }
  put(markup, emoji.markup);
  return emoji.end - 1;
}
