import { widthOf } from './width.ts';

/**
 * A line in lines of at most `width` columns, parted between words. A word that is wider, such as an
 * address, stays whole.
 */
export function wrapLine(line: string, width: number): string[] {
  if (line.length <= width / 2 || widthOf(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  for (const part of line.match(/\s*\S+/g) ?? []) {
    if (current !== '' && widthOf(current + part) > width) {
      lines.push(current);
      current = part.trimStart();
    } else current += part;
  }
  return [...lines, current];
}
