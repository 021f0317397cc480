import { dropHidden } from '../../common/untrusted-text.ts';

/** Markup as bytes, in a buffer that grows: a log is read and written byte by byte. */
export interface Markup {
  bytes: Uint8Array;
  length: number;
}

/** `room` in bytes. */
export const newMarkup = (room = 64 * 1024): Markup => ({
  bytes: new Uint8Array(room),
  length: 0,
});

/** Makes sure that `count` bytes more can be written. */
export function reserve(markup: Markup, count: number): void {
  const least = markup.length + count;
  if (least <= markup.bytes.length) return;
  const bytes = new Uint8Array(Math.max(least, markup.bytes.length * 2));
  bytes.set(markup.bytes.subarray(0, markup.length));
  markup.bytes = bytes;
}

/** Adds bytes for which there is room: pieces are short, for which a loop is fastest. */
export function put(markup: Markup, piece: Uint8Array): void {
  const { bytes } = markup;
  let to = markup.length;
  for (let at = 0; at < piece.length; at++) bytes[to++] = piece[at] as number;
  markup.length = to;
}

/** Takes all that was written out, as a byte string. */
export function take(markup: Markup): string {
  const { buffer } = markup.bytes;
  const text = Buffer.from(buffer, 0, markup.length).toString('latin1');
  markup.length = 0;
  return text;
}

/** Of a text without characters beyond ASCII, or of a byte string. */
export const asciiBytes = (text: string): Uint8Array =>
  Uint8Array.from(Buffer.from(text, 'latin1'));

const special = /[&<>"']/g;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text, or the bytes of it, as content or as the value of an attribute in quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(special, (character) => entities[character] ?? character);

/**
 * The address that a link may lead to: http, https, mailto, or relative to this page. Anything else, whatever
 * its disguise, another host without a scheme too, is `undefined`: a browser drops blanks and control characters before it looks for
 * the scheme, and so does this.
 */
export function safeAddress(address: string): string | undefined {
  const bare = dropHidden(address.replace(/[\x00-\x20\x7f-\x9f]/g, ''));
  if (bare === '' || /^[/\\]{2}/.test(bare)) return undefined;
  const scheme = /^[^/?#]*?:/.exec(bare)?.[0].toLowerCase();
  return scheme === undefined || safeSchemes.includes(scheme) ? bare : undefined;
}

const safeSchemes = ['http:', 'https:', 'mailto:'];
