import { ApiError } from './api-error.ts';
import type { ByteRange } from '../store/logs.ts';

/** First and last byte, counted from 0. */
export interface InclusiveByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The part that the header `Range` asks for (`bytes=0-99`, `bytes=100-`, `bytes=-100`); null for all:
 * without one, with one that cannot be read, or with several, as HTTP allows. Throws `ApiError` 416
 * where nothing of it is there.
 */
export function byteRange(header: string | undefined, size: number): InclusiveByteRange | null {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const range =
    from === ''
      ? { first: Math.max(0, size - Number(to)), last: size - 1 }
      : { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null;
  if (range.first <= range.last) return range;
  throw new ApiError(416, 'The range is beyond the end of the file', {
    headers: { 'content-range': `bytes */${size}` },
  });
}

/**
 * The one range that a `Range` header asks for, of a body of `size` bytes; undefined where the whole
 * body is to be sent: no header, another unit, several ranges, or nothing there to take a part of.
 *
 * Not `range-parser`: it finds a suffix longer than the body unsatisfiable, where RFC 9110 (14.1.2)
 * has the whole body, and an unknown unit too.
 */
export function rangeOf(
  header: string | undefined,
  size: number,
): ByteRange | undefined | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if ((first === '' && last === '') || size === 0) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}
