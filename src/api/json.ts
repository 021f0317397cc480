import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { isNestedDeeper, maxLevels } from './nesting.ts';

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
