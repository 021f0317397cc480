import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';

/**
 * JSON text to a value from which `stringifyJson` gives every number back: what a JavaScript number
 * would round becomes a `LosslessNumber`, whose `String()` is the text. Members may have any name,
 * `__proto__` included; of two members with one name the last counts, as with `JSON.parse`.
 * Throws a `SyntaxError`, or a `NestingError` where values are nested too deep.
 */
export function parseJson(text: string): unknown {
  if (isNestedDeeper(text)) throw new NestingError();
  if (!mayRound.test(text)) return JSON.parse(text) as unknown;
  return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** A document deeper than anything here goes down; in words that follow "it is". */
export class NestingError extends RangeError {
  override readonly name = 'NestingError';

  constructor() {
    super(`nested deeper than ${maxLevels} levels`);
  }
}

/** The inverse of `parseJson`, indented by `indent` spaces. */
export function stringifyJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  // Nearly no document holds a LosslessNumber, and the native function is many times faster.
  if (!text.includes('"isLosslessNumber":')) return text;
  return stringify(value, undefined, indent) ?? 'null';
}

/** A number of 16 signs or more, or one with an exponent. A hit inside a string only costs time. */
const mayRound = /(?:^|[:,[\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/;

const parseNumber = (digits: string): number | LosslessNumber =>
  isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits);

/**
 * How deep a JSON text may be nested: what walks or prints values deeper than that recurses too
 * far.
 */
const maxLevels = 1000;

/** Whether a JSON text is nested deeper than `max` levels. Brackets inside strings do not count. */
export function isNestedDeeper(json: string, max = maxLevels): boolean {
  if (json.length <= 2 * max || !hasMoreBrackets(json, max)) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) at = endOfString(json, at);
    else if (code === brace || code === bracket) depth += 1;
    else if (code === braceEnd || code === bracketEnd) depth -= 1;
    if (depth > max) return true;
  }
  return false;
}

/** Whether more than `max` brackets open, those inside strings included: native, for most texts. */
function hasMoreBrackets(json: string, max: number): boolean {
  let count = 0;
  for (const sign of ['{', '[']) {
    for (let at = json.indexOf(sign); at !== -1; at = json.indexOf(sign, at + 1)) {
      count += 1;
      if (count > max) return true;
    }
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const [brace, braceEnd, bracket, bracketEnd] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Where the text that begins at `start` ends: at a quote behind an even number of backslashes. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at - 1;
    while (json.charCodeAt(before) === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return json.length;
}
