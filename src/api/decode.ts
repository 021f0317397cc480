import { bounded } from '../http/network-error-text.ts';
import { NestingError, parseJson } from './json.ts';
import { isRecord } from './error-body.ts';
import { typeName } from './resources/check.ts';
import { InvalidResponseError } from '../http/invalid-response-error.ts';

/** A JSON document of a successful response. Throws `InvalidResponseError` in one bounded line. */
function decode(text: string): unknown {
  if (text.trim() === '') throw new InvalidResponseError('the answer is empty instead of JSON');
  if (/^\s*</.test(text)) throw new InvalidResponseError('the answer is HTML instead of JSON');
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof NestingError)
      throw new InvalidResponseError(`the answer is ${error.message}`);
    const start = JSON.stringify(bounded(text, 40));
    throw new InvalidResponseError(`the answer is broken JSON, beginning with ${start}`);
  }
}

export function decodeObject(text: string): Record<string, unknown> {
  const value = decode(text);
  if (isRecord(value)) return value;
  throw new InvalidResponseError(`the answer is ${typeName(value)} instead of an object`);
}

export function decodeArray(text: string): Record<string, unknown>[] {
  const value = decode(text);
  if (!Array.isArray(value)) {
    throw new InvalidResponseError(`the answer is ${typeName(value)} instead of an array`);
  }
  const odd = (value as unknown[]).find((element) => !isRecord(element));
  if (odd === undefined) return value as Record<string, unknown>[];
  throw new InvalidResponseError(`the answer holds ${typeName(odd)} instead of objects`);
}
