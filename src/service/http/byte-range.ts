import { ApiError } from './api-error.ts';
import type { ByteRange } from '../store/logs.ts';

/** Zero-based. */
export interface InclusiveByteRange {
  readonly first: number;
  readonly last: number;
}

/** Returns null for the entire file. Throws `ApiError` 416 if the range is beyond its end. */
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

/** Status and headers for a response with `range`, or the entire body if `range` is null. */
export const rangeResponse = (size: number, range: InclusiveByteRange | null) => ({
  status: range === null ? 200 : 206,
  headers: {
    'accept-ranges': 'bytes',
    'content-length': String(range === null ? size : range.last - range.first + 1),
    ...(range !== null && { 'content-range': `bytes ${range.first}-${range.last}/${size}` }),
  },
});

/**
 * Parses `Range` for a body of `size` bytes. Returns undefined if the entire body must be sent: no
 * header, an unknown unit, several ranges, or an empty body. `range-parser` is not used because,
 * contrary to RFC 9110 (14.1.2), it rejects unknown units and suffixes that are longer than the
 * body.
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
