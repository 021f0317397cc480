import emojis from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import { toBytes } from '../text.ts';
import { asciiBytes } from './markup.ts';

/** A shortcode, which ends at `end`, as the emoji that it stands for. */
export interface Emoji {
  readonly end: number;
  readonly markup: Uint8Array;
}

/**
 * The emoji whose shortcode, `:rocket:`, begins at `at`; undefined where there is none or where it
 * is but a part of a word. What it stood for is kept as its title.
 */
export function emojiAt(bytes: Uint8Array, at: number): Emoji | undefined {
  let end = at + 1;
  while (isNameByte(bytes[end])) end++;
  if (bytes[end] !== colon || end === at + 1 || end - at > longestName) return undefined;
  const next = bytes[end + 1];
  if (next === colon || isNameByte(next)) return undefined;
  const name = Buffer.from(bytes.subarray(at + 1, end)).toString('latin1');
  const markup = known(name);
  return markup && { end: end + 1, markup };
}

const colon = 0x3a;
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

/** The characters of `1F389`; some would be shown as text without the selector. */
function characterOf(code: string): string {
  const points = code.split('-').map((point) => parseInt(point, 16));
  const text = String.fromCodePoint(...points);
  return /^\p{Emoji_Presentation}/u.test(text) || points.length > 1 ? text : `${text}\ufe0f`;
}
