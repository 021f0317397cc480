import emojis from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };

/** Emojis by shortcode without colons: `rocket`. */
export const emojiTable = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries<string | string[]>(emojis).flatMap(([code, names]) =>
      [names].flat().map((name) => [name, characterOf(code)] as const),
    ),
  );

/** Converts a code such as `1F389`. Some characters need a variation selector to be emojis. */
function characterOf(code: string): string {
  const points = code.split('-').map((point) => parseInt(point, 16));
  const text = String.fromCodePoint(...points);
  return /^\p{Emoji_Presentation}/u.test(text) || points.length > 1 ? text : `${text}\ufe0f`;
}
