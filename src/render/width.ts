import stringWidth from 'string-width';
import { cleanLine } from '../common/untrusted-text.ts';

/** The columns that text uses on a terminal: two per wide character or emoji, none for colors. */
export const widthOf = (text: string): number =>
  simpleWidth(text.includes('\x1b') ? text.replace(styles, '') : text) ?? stringWidth(text);

const styles = /\x1b\[[\d;:]*m/g;

/** Stops at `limit`, so that long text is not measured completely. */
export const widthWithin = (text: string, limit: number): number =>
  isAscii(text) ? Math.min(text.length, limit) : measure(text, limit).width;

/** Truncates text to `width` columns and adds an ellipsis. */
export function shorten(text: string, width: number): string {
  if (cut(text, width) === text) return text;
  return width < 1 ? '' : `${cut(text, width - 1).trimEnd()}…`;
}

/** The start of the text that fits into `width` columns, without splitting a character. */
export const cut = (text: string, width: number): string =>
  isAscii(text) ? text.slice(0, width) : measure(text, width).kept;

interface Measured {
  readonly kept: string;
  readonly width: number;
}

/** If short text fits, measures it without splitting it into characters. */
function measure(text: string, available: number): Measured {
  const width = text.length > available ? undefined : simpleWidth(text);
  return width !== undefined && width <= available ? { kept: text, width } : fill(text, available);
}

/** Adds characters until the next one does not fit. */
function fill(text: string, available: number): Measured {
  let width = 0;
  let kept = '';
  for (const piece of pieces(text)) {
    const more = isAscii(piece) ? piece.length : widthOf(piece);
    if (width + more > available) {
      return {
        kept: isAscii(piece) ? kept + piece.slice(0, available - width) : kept,
        width: available,
      };
    }
    width += more;
    kept += piece;
  }
  return { kept, width };
}

function* pieces(text: string): Generator<string> {
  for (const [run] of text.matchAll(/[ -~]+(?=[ -~]|$)|[ -~]?[^ -~]+/g)) {
    if (isAscii(run)) yield run;
    else if (simpleWidth(run) !== undefined) yield* run;
    else for (const { segment } of characters(run)) yield segment;
  }
}

let segmenter: Intl.Segmenter | undefined;
/** Created once, because creating a segmenter takes 13 ms. */
const characters = (run: string): Intl.Segments =>
  (segmenter ??= new Intl.Segmenter()).segment(run);
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);

export function shortenStart(text: string, width: number): string {
  if (widthWithin(text, width + 1) <= width) return text;
  if (width < 1) return '';
  if (isAscii(text)) return `…${text.slice(text.length - width + 1)}`;
  let kept = '';
  for (const { segment: character } of [...characters(text)].reverse()) {
    if (widthOf(character + kept) > width - 1) break;
    kept = character + kept;
  }
  return `…${kept}`;
}

/**
 * Wraps a line between words. Long words, such as URLs, are only split in scripts without spaces.
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

/** Scripts that wrap between any two characters. */
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

/** Removes control characters and all escape sequences except colors. */
export const printablePainted = (line: string): string =>
  line
    .split(capturedStyles)
    .map((piece, at) => (at % 2 === 1 ? piece : cleanLine(piece)))
    .join('');

/** Truncates a colored line to `width` columns, adds an ellipsis and resets the colors. */
export function clipPainted(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  let available = width - 1;
  let kept = '';
  for (const [at, piece] of line.split(capturedStyles).entries()) {
    if (at % 2 === 1) kept += piece;
    else {
      const part = cut(piece, available);
      kept += part;
      available -= widthOf(part);
      if (part !== piece) break;
    }
  }
  return `${kept}…${kept.includes('\x1b') ? '\x1b[0m' : ''}`;
}

// Captured, so that `split` keeps the styles, at odd indexes.
const capturedStyles = /(\x1b\[[\d;:]*m)/;

/**
 * The width of text in common scripts, without combining characters or emoji sequences. Undefined
 * for other text, which needs a segmenter (13 ms, and another 40 ms for emojis).
 */
export function simpleWidth(text: string): number | undefined {
  if (narrow.test(text)) return text.length;
  if (!simple.test(text)) return undefined;
  // A character with two UTF-16 units occupies two columns.
  return text.length + (text.match(wide)?.length ?? 0);
}

// Uses ranges, because compiling Unicode properties of letters takes 9 ms.
const narrowRanges = [
  ...[' -~', '\\xa0-\\xac', '\\xae-\\u02ff'],
  // Greek and Cyrillic.
  ...['\\u0384-\\u0482', '\\u048a-\\u052f'],
  // Punctuation without bidi controls, and currencies.
  ...['\\u2010-\\u2027', '\\u2030-\\u205e', '\\u20a0-\\u20bf'],
  // Arrows and math; boxes and shapes; ticks and crosses.
  ...['\\u2100-\\u22ff', '\\u2500-\\u25fc', '\\u2713-\\u2718'],
].join('');
const wideRanges = [
  // Kana, Han, Hangul syllables, and fullwidth forms.
  ...['\\u3000-\\u3029', '\\u3041-\\u3096', '\\u309b-\\u30ff', '\\u3400-\\u4dbf'],
  ...['\\u4e00-\\u9fff', '\\uac00-\\ud7a3', '\\uff01-\\uff60'],
].join('');
/** Excludes the halves of flags, and skin tones, which belong to the previous emoji. */
const emoji = '(?![\\u{1f1e6}-\\u{1f1ff}\\u{1f3fb}-\\u{1f3ff}])\\p{Emoji_Presentation}';

const narrow = new RegExp(`^[${narrowRanges}]*$`);
const simple = new RegExp(`^(?:[${narrowRanges}${wideRanges}]|${emoji})*$`, 'u');
const wide = new RegExp(`[${wideRanges}]|(?=[\\u2300-\\u2bff])${emoji}`, 'gu');
