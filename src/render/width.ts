import stringWidth from 'string-width';
import { cleanLine } from '../common/untrusted-text.ts';

/**
 * Columns that a text without line breaks takes on a terminal: wide characters and emojis two,
 * colours none.
 */
export const widthOf = (text: string): number =>
  simpleWidth(text.includes('\x1b') ? text.replace(styles, '') : text) ?? stringWidth(text);

const styles = /\x1b\[[\d;:]*m/g;

/** Its columns as far as `limit`: long texts are not read to their end. */
export const widthWithin = (text: string, limit: number): number =>
  isAscii(text) ? Math.min(text.length, limit) : measure(text, limit).width;

/** The text cut to `width` columns, with an ellipsis where something is missing. */
export function shorten(text: string, width: number): string {
  if (cut(text, width) === text) return text;
  return width < 1 ? '' : `${cut(text, width - 1).trimEnd()}…`;
}

/** The longest beginning that takes at most `width` columns; no character is torn apart. */
export const cut = (text: string, width: number): string =>
  isAscii(text) ? text.slice(0, width) : measure(text, width).kept;

interface Measured {
  readonly kept: string;
  readonly width: number;
}

/** The common case at one look: a short text that fits. */
function measure(text: string, available: number): Measured {
  const width = text.length > available ? undefined : simpleWidth(text);
  return width !== undefined && width <= available ? { kept: text, width } : fill(text, available);
}

/** Takes pieces until the next one would not fit; of plain text what does fit. */
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

/**
 * A text in parts that must not be torn: single characters as readers see them (a letter with its
 * accents, a whole emoji), and between them runs of plain ASCII, which take no time to measure.
 */
function* pieces(text: string): Generator<string> {
  for (const [run] of text.matchAll(/[ -~]+(?=[ -~]|$)|[ -~]?[^ -~]+/g)) {
    if (isAscii(run)) yield run;
    else if (simpleWidth(run) !== undefined) yield* run;
    else for (const { segment } of characters(run)) yield segment;
  }
}

let segmenter: Intl.Segmenter | undefined;
/** Made where there is something for it to do: that takes 13 ms. */
const characters = (run: string): Intl.Segments =>
  (segmenter ??= new Intl.Segmenter()).segment(run);
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);

/** The end of a text, in `width` columns at most, with an ellipsis where its beginning is missing. */
export function shortenStart(text: string, width: number): string {
  if (widthWithin(text, width + 1) <= width) return text;
  if (width < 1) return '';
  let kept = '';
  for (const character of charactersOf(text).reverse()) {
    if (widthOf(character + kept) > width - 1) break;
    kept = character + kept;
  }
  return `…${kept}`;
}

/** As readers see them: a letter with its accents, a whole emoji. */
const charactersOf = (text: string): string[] =>
  /^[ -~]*$/.test(text)
    ? text.split('')
    : Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

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

/** The line without escape sequences and control characters other than colours. */
export const printablePainted = (line: string): string =>
  line
    .split(capturedStyles)
    .map((piece, at) => (at % 2 === 1 ? piece : cleanLine(piece)))
    .join('');

/** A coloured line cut to `width` columns, with an ellipsis and its colours ended. */
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

/** Colours and weights; captured, so that splitting keeps them at odd places. */
const capturedStyles = /(\x1b\[[\d;:]*m)/;

/**
 * The columns of a text each of whose characters stands for itself: letters and signs of the usual
 * scripts, single emojis. Undefined for all others: they alone are parted into what readers see as
 * a character, and that takes 13 ms to begin with, and 40 more where one may be an emoji.
 */
export function simpleWidth(text: string): number | undefined {
  if (narrow.test(text)) return text.length;
  if (!simple.test(text)) return undefined;
  // What is two units long takes two columns as it is.
  return text.length + (text.match(wide)?.length ?? 0);
}

// Ranges are ready at once; by their properties in Unicode letters would take 9 ms.
const narrowRanges = [
  ...[' -~', '\\xa0-\\xac', '\\xae-\\u02ff'],
  // Greek and Cyrillic.
  ...['\\u0384-\\u0482', '\\u048a-\\u052f'],
  // Punctuation without what turns the direction; currencies.
  ...['\\u2010-\\u2027', '\\u2030-\\u205e', '\\u20a0-\\u20bf'],
  // Arrows and mathematics; boxes and figures; ticks and crosses.
  ...['\\u2100-\\u22ff', '\\u2500-\\u25fc', '\\u2713-\\u2718'],
].join('');
const wideRanges = [
  // Kana, Han, syllables of Hangul, and forms of their width.
  ...['\\u3000-\\u3029', '\\u3041-\\u3096', '\\u309b-\\u30ff', '\\u3400-\\u4dbf'],
  ...['\\u4e00-\\u9fff', '\\uac00-\\ud7a3', '\\uff01-\\uff60'],
].join('');
/** None that a flag begins with, and no tone of skin, which may belong to the one before. */
const emoji = '(?![\\u{1f1e6}-\\u{1f1ff}\\u{1f3fb}-\\u{1f3ff}])\\p{Emoji_Presentation}';

const narrow = new RegExp(`^[${narrowRanges}]*$`);
const simple = new RegExp(`^(?:[${narrowRanges}${wideRanges}]|${emoji})*$`, 'u');
const wide = new RegExp(`[${wideRanges}]|(?=[\\u2300-\\u2bff])${emoji}`, 'gu');
