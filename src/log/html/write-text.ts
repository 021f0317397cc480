import emojis from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import { escapeHtml, asciiBytes, newMarkup, put, take, type Markup } from './markup.ts';
import { toBytes } from '../text.ts';

/** Maximum bytes of markup per byte of text. `:a:` becomes 32 bytes with its emoji and title. */
export const mostGrowth = 12;

/** Writes text up to an escape, newline or the end. Replaces shortcodes. Returns the end offset. */
export function writeText(
  markup: Markup,
  bytes: Uint8Array,
  piece: { readonly from: number; readonly to: number; readonly start: number },
): number {
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

const isBefore = (byte: number): boolean => byte <= 0x20 || byte === 0x28 || byte === 0x5b;

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

/** Undefined if there is no shortcode, or if the shortcode is part of a word. */
export function emojiAt(
  bytes: Uint8Array,
  at: number,
): { readonly end: number; readonly markup: Uint8Array } | undefined {
  let end = at + 1;
  while (isNameByte(bytes[end])) end++;
  if (bytes[end] !== colon || end === at + 1 || end - at > longestName) return undefined;
  const next = bytes[end + 1];
  if (next === colon || isNameByte(next)) return undefined;
  const name = Buffer.from(bytes.subarray(at + 1, end)).toString('latin1');
  const markup = known(name);
  return markup && { end: end + 1, markup };
}
const longestName = 60;

const nameBytes = new Uint8Array(256);
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyz0123456789_+-')) nameBytes[byte] = 1;

const isNameByte = (byte: number | undefined): boolean =>
  byte !== undefined && nameBytes[byte] === 1;

let characters: Map<string, string> | undefined;

function known(name: string): Uint8Array | undefined {
  const character = (characters ??= table()).get(name);
  if (character === undefined) return undefined;
  return asciiBytes(toBytes(`<span title=":${name}:">${character}</span>`));
}

const table = (): Map<string, string> =>
  new Map(
    Object.entries<string | string[]>(emojis).flatMap(([code, names]) =>
      [names].flat().map((name) => [name, characterOf(code)] as const),
    ),
  );

/** Converts a code such as `1F389` to text. Some emojis need a variation selector. */
function characterOf(code: string): string {
  const points = code.split('-').map((point) => parseInt(point, 16));
  const text = String.fromCodePoint(...points);
  return /^\p{Emoji_Presentation}/u.test(text) || points.length > 1 ? text : `${text}\ufe0f`;
}
