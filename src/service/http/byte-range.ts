import { ApiError } from './api-error.ts';

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
