import shortcodes from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import type { Urls } from '../urls.ts';

interface StandardEmoji {
  readonly name: string;
  readonly url: string;
  readonly aliases?: readonly string[];
}

const known: Readonly<Record<string, string | string[]>> = shortcodes;

/** Word characters, plus and hyphen (specification, "Emoji"). */
const isName = (name: string): boolean => /^[\w+-]+$/.test(name);

export const standardEmojis = (urls: Urls): StandardEmoji[] =>
  Object.entries(known).flatMap(([hexcode, codes]) => {
    const [name, ...aliases] = [codes].flat().filter(isName);
    if (name === undefined) return [];
    const url = urls.emoji(hexcode.toLowerCase());
    return [{ name, url, ...(aliases.length > 0 && { aliases }) }];
  });

/** The characters of a code such as `1f389`, in emoji presentation; undefined if unknown. */
export function standardEmoji(hexcode: string): string | undefined {
  if (!Object.hasOwn(known, hexcode.toUpperCase())) return undefined;
  const points = hexcode.split('-').map((code) => parseInt(code, 16));
  return points.map((point, index) => coloured(point, points[index + 1])).join('');
}

const presentation = 0xfe0f;

/** Some characters are shown as text unless a selector follows. */
function coloured(point: number, next: number | undefined): string {
  const character = String.fromCodePoint(point);
  const isText = /\p{Emoji}/u.test(character) && !/\p{Emoji_Presentation}/u.test(character);
  const isSettled = next === presentation || (next !== undefined && isModifier(next));
  return isText && !isSettled ? character + String.fromCodePoint(presentation) : character;
}

const isModifier = (point: number): boolean => point >= 0x1f3fb && point <= 0x1f3ff;
