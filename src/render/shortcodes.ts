/** Replaces emoji shortcodes such as `:rocket:`. */
export type WriteEmojis = (text: string) => string;

export const withShortcodes: WriteEmojis = (text) => text;

/**
 * Returns a function that replaces shortcodes in these strings. For custom emojis, it only removes
 * the colons. The emoji table is loaded only if there is a shortcode.
 */
export async function emojisFor(texts: Iterable<string>): Promise<WriteEmojis> {
  if (![...texts].some(hasShortcode)) return withShortcodes;
  const table = (await import('./emoji-table.ts')).emojiTable();
  return (text) =>
    text.replace(runs, (run) =>
      run.replace(codes, (code, name: string) => nameOf(code, name, table)),
    );
}

const hasShortcode = (text: string): boolean => text.includes(':') && text.search(runs) >= 0;

// Does not match inside words and times, such as `12:30:45` and `std::string::`.
const runs = /(?<![\w:])(?::[\w+-]{1,60}:)+(?![\w:])/g;
const codes = /:([\w+-]+):/g;

function nameOf(code: string, name: string, table: ReadonlyMap<string, string>): string {
  const tone = /^skin-tone-([2-6])$/.exec(name)?.[1];
  if (tone !== undefined) return String.fromCodePoint(0x1f3f9 + Number(tone));
  return table.get(name) ?? (/[a-z]/i.test(name) ? name : code);
}

/**
 * Replaces shortcodes in a log's section headers (`--- :rocket: Deploy`). Keeps all other bytes.
 */
export async function* headerEmojis(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let open = '';
  for await (const chunk of bytes) {
    const text = open + Buffer.from(chunk).toString('latin1');
    // A header may continue in the next chunk.
    open = /[^\n]{0,500}$/.exec(text)?.[0] ?? '';
    if (!mayBeHeader.test(open)) open = '';
    const whole = open === '' ? text : text.slice(0, -open.length);
    if (whole !== '') yield await withEmojis(whole);
  }
  if (open !== '') yield await withEmojis(open);
}

/** Like `headerEmojis`, but for text that consists of whole lines. */
export const withHeaderEmojis = async (lines: string): Promise<string> =>
  (await withEmojis(Buffer.from(lines).toString('latin1'))).toString();

/** A timestamp and color codes may precede the marker. */
const header = /^(?:\x1b\[[\d;]*m|[\dTZ:.+ hms-])*?(?:---|\+\+\+|~~~)[^\n]*:[\w+-]+:[^\n]*/gm;
const mayBeHeader = /^(?:\x1b\[[\d;]*m|[\dTZ:.+ hms-])*(?:[-+~]|$)/;

/** Processes bytes as Latin-1, so that no character is split. */
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
