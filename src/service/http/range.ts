import type { ByteRange } from '../store/logs.ts';

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
