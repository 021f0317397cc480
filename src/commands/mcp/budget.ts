import { usageError } from '../../errors.ts';
import type { Texts } from './read-values.ts';

/** Bytes of an answer: about as many as a reader with a small memory can take at once. */
export const usualBytes = 32_768;
export const mostBytes = 262_144;
const leastBytes = 1024;

/** The bytes that the answer to a call may take, as JSON of the protocol. */
export function budgetOf(texts: Texts): number {
  const [text] = texts.get('max_bytes') ?? [];
  if (text === undefined) return usualBytes;
  const bytes = Number(text);
  if (!Number.isInteger(bytes) || bytes < leastBytes || bytes > mostBytes)
    throw usageError(`max_bytes is ${leastBytes} to ${mostBytes}, not ${text}`);
  return bytes;
}

/** What a text takes of it. */
export const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));
