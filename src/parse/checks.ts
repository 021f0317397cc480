/** Slugs and ids: sent exactly as typed, once they can stand in a path. */
import { usageError } from '../errors.ts';

/**
 * The text itself, when it can be one segment of a path. `kind` is the word for the message:
 * `organization`, `pipeline`, `job`. Code 2 when it is empty or could reach another path.
 */
export function checkSlug(kind: string, text: string): string {
  const reason = problemOf(text);
  if (reason === undefined) return text;
  throw usageError(`the ${kind} ${JSON.stringify(text)} cannot be used: ${reason}`);
}

/** Whether it can be one segment of a path. */
export const isSlug = (text: string): boolean => problemOf(text) === undefined;

function problemOf(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text === '.' || text.includes('..')) return 'it stands for another folder of the address';
  if (/[/?#]/.test(text)) return 'it holds "/", "?" or "#"';
  // Lone surrogates cannot be percent-encoded.
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return 'it holds a control character';
  return undefined;
}

/** Tokens have many forms: nothing is asked of one but that it is one line of printable ASCII. */
export const isToken = (text: string): boolean => /^[\x20-\x7e]+$/.test(text) && text.trim() !== '';

/** Whether a host, as a URL has it, is this machine by its own name: `127.0.0.1`, `localhost`, `[::1]`. */
export const isLoopback = (host: string): boolean => /^(127\.[\d.]+|localhost|\[::1\])$/.test(host);
