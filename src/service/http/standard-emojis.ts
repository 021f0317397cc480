import shortcodes from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import type { Urls } from '../urls.ts';

const known: Readonly<Record<string, string | string[]>> = shortcodes;

export const standardEmojis = (urls: Urls) =>
  Object.entries(known).flatMap(([hexcode, codes]) => {
    // Excludes names with characters other than those in the specification ("Emoji").
    const [name, ...aliases] = [codes].flat().filter((code) => /^[\w+-]+$/.test(code));
    if (name === undefined) return [];
    const url = urls.emoji(hexcode.toLowerCase());
    return [{ name, url, ...(aliases.length > 0 && { aliases }) }];
  });

export function standardEmoji(hexcode: string): string | undefined {
  if (!Object.hasOwn(known, hexcode.toUpperCase())) return undefined;
  const points = hexcode.split('-').map((code) => parseInt(code, 16));
  return points.map((point, index) => colored(point, points[index + 1])).join('');
}

function colored(point: number, next: number | undefined): string {
  const character = String.fromCodePoint(point);
  const isText = /\p{Emoji}/u.test(character) && !/\p{Emoji_Presentation}/u.test(character);
  const isModifier = next !== undefined && next >= 0x1f3fb && next <= 0x1f3ff;
  return isText && !isModifier && next !== 0xfe0f ? `${character}\ufe0f` : character;
}
