/** Writes the shortcodes of a text, `:rocket:`, as people are to see them. */
export type WriteEmojis = (text: string) => string;

/** As it came, for where no table of emojis is at hand. */
export const withShortcodes: WriteEmojis = (text) => text;

/**
 * What writes the shortcodes of these texts: known ones as their emojis, those that somebody
 * uploaded without their colons. The table of emojis is loaded only where there is a pair of colons.
 */
export async function emojisFor(texts: Iterable<string>): Promise<WriteEmojis> {
  if (![...texts].some(hasShortcode)) return withShortcodes;
  const table = (await import('./emoji-table.ts')).emojiTable();
  return (text) =>
    text.replace(runs, (run) =>
      run.replace(codes, (code, name: string) => nameOf(code, name, table)),
    );
}

/** Whether there may be something to write. */
export const hasShortcode = (text: string): boolean => text.includes(':') && text.search(runs) >= 0;

// Apart from words and figures: `12:30:45` and `std::string::` have none.
const runs = /(?<![\w:])(?::[\w+-]{1,60}:)+(?![\w:])/g;
const codes = /:([\w+-]+):/g;

function nameOf(code: string, name: string, table: ReadonlyMap<string, string>): string {
  const tone = /^skin-tone-([2-6])$/.exec(name)?.[1];
  if (tone !== undefined) return String.fromCodePoint(0x1f3f9 + Number(tone));
  return table.get(name) ?? (/[a-z]/i.test(name) ? name : code);
}
