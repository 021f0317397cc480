import { AnswerError } from '../http/body.ts';
import { bounded } from '../http/reasons.ts';
import { parseJson } from './json.ts';
import { isRecord } from './reasons.ts';

/** A JSON document of a successful answer. Throws `AnswerError` in one bounded line. */
function decode(text: string): unknown {
  if (text.trim() === '') throw new AnswerError('the answer is empty instead of JSON');
  if (/^\s*</.test(text)) throw new AnswerError('the answer is HTML instead of JSON');
  try {
    return parseJson(text);
  } catch {
    const start = JSON.stringify(bounded(text, 40));
    throw new AnswerError(`the answer is broken JSON, beginning with ${start}`);
  }
}

export function decodeObject(text: string): Record<string, unknown> {
  const value = decode(text);
  if (isRecord(value)) return value;
  throw new AnswerError(`the answer is ${nameOf(value)} instead of an object`);
}

export function decodeArray(text: string): Record<string, unknown>[] {
  const value = decode(text);
  if (!Array.isArray(value)) {
    throw new AnswerError(`the answer is ${nameOf(value)} instead of an array`);
  }
  const odd = (value as unknown[]).find((element) => !isRecord(element));
  if (odd === undefined) return value as Record<string, unknown>[];
  throw new AnswerError(`the answer holds ${nameOf(odd)} instead of objects`);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
