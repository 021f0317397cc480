/** The standard emojis by their usual shortcodes; loaded when the list is first asked for. */
import shortcodes from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import type { Urls } from '../urls.ts';

interface StandardEmoji {
  readonly name: string;
  readonly url: string;
  readonly aliases?: readonly string[];
}

/** Names hold word characters, plus and hyphen alone (specification, "Emoji"). */
const isName = (name: string): boolean => /^[\w+-]+$/.test(name);

export const standardEmojis = (urls: Urls): StandardEmoji[] =>
  Object.entries(shortcodes as Record<string, string | string[]>).flatMap(([hexcode, codes]) => {
    const [name, ...aliases] = [codes].flat().filter(isName);
    if (name === undefined) return [];
    const url = urls.emoji(hexcode.toLowerCase());
    return [{ name, url, ...(aliases.length > 0 && { aliases }) }];
  });
