import { dropHidden } from '../../common/untrusted-text.ts';

/** A growing buffer of markup, for processing logs byte by byte. */
export interface Markup {
  bytes: Uint8Array;
  length: number;
}

export const newMarkup = (room = 64 * 1024): Markup => ({
  bytes: new Uint8Array(room),
  length: 0,
});

export function reserve(markup: Markup, count: number): void {
  const least = markup.length + count;
  if (least <= markup.bytes.length) return;
  const bytes = new Uint8Array(Math.max(least, markup.bytes.length * 2));
  bytes.set(markup.bytes.subarray(0, markup.length));
  markup.bytes = bytes;
}

/** Appends a short chunk in a loop, which is fastest. The buffer must have enough space. */
export function put(markup: Markup, piece: Uint8Array): void {
  const { bytes } = markup;
  let to = markup.length;
  for (let at = 0; at < piece.length; at++) bytes[to++] = piece[at] as number;
  markup.length = to;
}

export function append(markup: Markup, piece: Uint8Array): void {
  reserve(markup, piece.length);
  put(markup, piece);
}

export function take(markup: Markup): string {
  const { buffer } = markup.bytes;
  const text = Buffer.from(buffer, 0, markup.length).toString('latin1');
  markup.length = 0;
  return text;
}

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

export const escapeHtml = (text: string): string =>
  text.replace(special, (character) => entities[character] ?? character);

/**
 * Returns a link target if it is http, https, mailto or relative to the page. Like browsers, drops
 * spaces and control characters before checking the scheme.
 */
export function safeAddress(address: string): string | undefined {
  const bare = dropHidden(address.replace(/[\x00-\x20\x7f-\x9f]/g, ''));
  if (bare === '' || /^[/\\]{2}/.test(bare)) return undefined;
  const scheme = /^[^/?#]*?:/.exec(bare)?.[0].toLowerCase();
  return scheme === undefined || safeSchemes.includes(scheme) ? bare : undefined;
}

const safeSchemes = ['http:', 'https:', 'mailto:'];
