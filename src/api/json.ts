import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';

/**
 * Parses JSON so that `stringifyJson` reproduces every number. A number that JavaScript would round
 * becomes a `LosslessNumber`, whose `String()` is the original text. Keys may have any name, even
 * `__proto__`. As in `JSON.parse`, the last of two equal keys wins. Throws `SyntaxError`, or
 * `NestingError` if the nesting is too deep.
 */
export function parseJson(text: string): unknown {
  if (isNestedDeeper(text)) throw new NestingError();
  if (!mayRound.test(text)) return JSON.parse(text) as unknown;
  return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** Completes the sentence "the response is …". */
export class NestingError extends RangeError {
  override readonly name = 'NestingError';

  constructor() {
    super(`nested deeper than ${maxLevels} levels`);
  }
}

export function stringifyJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  // Few documents contain a LosslessNumber. For all others, `JSON.stringify` is much faster.
  if (!text.includes('"isLosslessNumber":')) return text;
  return stringify(value, undefined, indent) ?? 'null';
}

/** Matches a number with at least 16 characters or an exponent. May match inside a string. */
const mayRound = /(?:^|[:,[\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/;

const parseNumber = (digits: string): number | LosslessNumber =>
  isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits);

/** Code that walks or prints deeper nesting would overflow the stack. */
const maxLevels = 1000;

/** Ignores brackets inside strings. */
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

/** A fast check that may count too many brackets, because it includes those inside strings. */
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

function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at - 1;
    while (json.charCodeAt(before) === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return json.length;
}
