import { bounded } from '../http/network-error-text.ts';
import { NestingError, parseJson } from './json.ts';
import { typeName } from './resources/check.ts';
import { InvalidResponseError } from '../http/transport.ts';

function decode(text: string): unknown {
  if (text.trim() === '') throw new InvalidResponseError('the response is empty, not JSON');
  if (/^\s*</.test(text)) throw new InvalidResponseError('the response is HTML, not JSON');
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof NestingError)
      throw new InvalidResponseError(`the response is ${error.message}`);
    const start = JSON.stringify(bounded(text, 40));
    throw new InvalidResponseError(`the response is malformed JSON: ${start}`);
  }
}

export function decodeObject(text: string): Record<string, unknown> {
  const value = decode(text);
  if (isRecord(value)) return value;
  throw new InvalidResponseError(`the response is ${typeName(value)} instead of an object`);
}

export function decodeArray(text: string): Record<string, unknown>[] {
  const value = decode(text);
  if (!Array.isArray(value)) {
    throw new InvalidResponseError(`the response is ${typeName(value)} instead of an array`);
  }
  const odd = (value as unknown[]).find((element) => !isRecord(element));
  if (odd === undefined) return value as Record<string, unknown>[];
  throw new InvalidResponseError(`the response contains ${typeName(odd)} instead of objects`);
}

export interface ErrorBody {
  readonly message?: string;
  readonly details: readonly string[];
  readonly isJson: boolean;
}

/** Reads `{"message": …, "errors": […]}` (spec.md, "Errors"). GraphQL sends only `errors`. */
export function readErrorBody(text: string): ErrorBody {
  const body = parsed(text);
  if (!isRecord(body))
    return { ...errorBody(plain(text)), details: [], isJson: body !== undefined };
  const details = (Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : [])
    .slice(0, 20)
    .map(entryText)
    .filter((entry) => entry !== '');
  const message = textOf(body['message']) ?? textOf(body['error']);
  const [first, ...others] = details;
  if (message !== undefined) return { message, details, isJson: true };
  return { ...errorBody(first), details: others, isJson: true };
}

const errorBody = (message: string | undefined): { message?: string } =>
  message === undefined || message === '' ? {} : { message };

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Short plain text may explain the error; an HTML page does not. */
const plain = (text: string): string | undefined =>
  /^\s*[<{[]/.test(text) ? undefined : bounded(text, 200);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? bounded(value, 500) : undefined;

function entryText(entry: unknown): string {
  if (!isRecord(entry)) return bounded(typeof entry === 'string' ? entry : JSON.stringify(entry));
  const reason = [textOf(entry['code']), textOf(entry['message'])].filter(
    (part) => part !== undefined,
  );
  const field = textOf(entry['field']);
  if (field === undefined && reason.length === 0) return bounded(JSON.stringify(entry));
  return [field, reason.join(', ')].filter((part) => part !== undefined && part !== '').join(': ');
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
