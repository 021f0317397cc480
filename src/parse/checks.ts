import { usageError } from '../errors.ts';

/** Exit code 2 unless the text can be one path segment. `kind` is used in the message. */
export function checkSlug(kind: string, text: string): string {
  const reason = problemOf(text);
  if (reason === undefined) return text;
  throw usageError(`invalid ${kind} ${JSON.stringify(text)}: ${reason}`);
}

export const isSlug = (text: string): boolean => problemOf(text) === undefined;

function problemOf(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text === '.' || text.includes('..')) return 'it must not be "." or contain ".."';
  if (/[/?#]/.test(text)) return 'it must not contain "/", "?" or "#"';
  // Lone surrogates cannot be percent-encoded.
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return 'it must not contain control characters';
  return undefined;
}

/** Tokens have many formats. The only requirement is one line of printable ASCII. */
export const isToken = (text: string): boolean => /^[\x20-\x7e]+$/.test(text) && text.trim() !== '';

/** Whether a URL's host is the local machine: `127.0.0.1`, `localhost`, `[::1]`. */
export const isLoopback = (host: string): boolean => /^(127\.[\d.]+|localhost|\[::1\])$/.test(host);
