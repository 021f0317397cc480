import { emojisFor, hasShortcode } from './shortcodes.ts';

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
