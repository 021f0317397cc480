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
const hasShortcode = (text: string): boolean => text.includes(':') && text.search(runs) >= 0;

// Apart from words and figures: `12:30:45` and `std::string::` have none.
const runs = /(?<![\w:])(?::[\w+-]{1,60}:)+(?![\w:])/g;
const codes = /:([\w+-]+):/g;

function nameOf(code: string, name: string, table: ReadonlyMap<string, string>): string {
  const tone = /^skin-tone-([2-6])$/.exec(name)?.[1];
  if (tone !== undefined) return String.fromCodePoint(0x1f3f9 + Number(tone));
  return table.get(name) ?? (/[a-z]/i.test(name) ? name : code);
}

/**
 * A log with the shortcodes in the headers of its sections written as emojis: `--- :rocket: Deploy`.
 * All other bytes stay as they are.
 */
export async function* headerEmojis(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let open = '';
  for await (const chunk of bytes) {
    const text = open + Buffer.from(chunk).toString('latin1');
    // The start of a header may go on in the next piece.
    open = /[^\n]{0,500}$/.exec(text)?.[0] ?? '';
    if (!mayBeHeader.test(open)) open = '';
    const whole = open === '' ? text : text.slice(0, -open.length);
    if (whole !== '') yield await withEmojis(whole);
  }
  if (open !== '') yield await withEmojis(open);
}

/** The same of whole lines. */
export const withHeaderEmojis = async (lines: string): Promise<string> =>
  (await withEmojis(Buffer.from(lines).toString('latin1'))).toString();

/** A time may stand before the marker, and colours round it. */
const header = /^(?:\x1b\[[\d;]*m|[\dTZ:.+ hms-])*?(?:---|\+\+\+|~~~)[^\n]*:[\w+-]+:[^\n]*/gm;
const mayBeHeader = /^(?:\x1b\[[\d;]*m|[\dTZ:.+ hms-])*(?:[-+~]|$)/;

/** Bytes as a string of Latin-1, so that no character is torn. */
async function withEmojis(text: string): Promise<Buffer> {
  const lines = text.match(header)?.map(decoded).filter(hasShortcode) ?? [];
  if (lines.length === 0) return Buffer.from(text, 'latin1');
  const write = await emojisFor(lines);
  return Buffer.from(
    text.replace(header, (line) => encoded(write(decoded(line)))),
    'latin1',
  );
}

const decoded = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();
const encoded = (text: string): string => Buffer.from(text).toString('latin1');
