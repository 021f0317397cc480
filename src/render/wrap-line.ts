import { cut, widthOf } from './width.ts';

/**
 * A line in lines of at most `width` columns, parted between words. A word that is wider, such as an
 * address, stays whole; one of wide characters, which are written without blanks, does not.
 */
export function wrapLine(line: string, width: number): string[] {
  if (line.length <= width / 2 || widthOf(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  for (const part of (line.match(/\s*\S+/g) ?? []).flatMap((word) => inParts(word, width))) {
    if (current !== '' && widthOf(current + part) > width) {
      lines.push(current);
      current = part.trimStart();
    } else current += part;
  }
  return [...lines, current];
}

/** Scripts that are parted between any two characters. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

function inParts(word: string, width: number): string[] {
  if (width < 2 || widthOf(word.trimStart()) <= width || !unspaced.test(word)) return [word];
  const parts: string[] = [];
  for (let rest = word; rest !== '';) {
    const part = cut(rest, width) || rest;
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return parts;
}
