import type { AppRequest } from './app.ts';
import { badRequest, invalid, type FieldError, ApiError } from './api-error.ts';
import { boolean } from './query-parameters.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Throws `ApiError` 400 if `value` is not an object. */
export function objectOf(value: unknown): Body {
  if (!isObject(value)) throw badRequest('The request body must be a JSON object');
  return value;
}

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null counts as missing. Strings cannot contain NUL, because they may be passed to processes. */
export type BodyReader = ReturnType<typeof bodyReader>;

/** Reads a JSON body and collects all errors. Throws `ApiError` 400 if it is not an object. */
export function bodyReader(given: unknown) {
  const body = objectOf(given);
  const errors: FieldError[] = [];
  const reject = (field: string, message?: string, code: FieldError['code'] = 'invalid'): void => {
    errors.push({ field, code, ...(message !== undefined && { message }) });
  };
  const member = (field: string): unknown =>
    Object.hasOwn(body, field) ? (body[field] ?? undefined) : undefined;
  const checked = <T>(field: string, isValid: (value: unknown) => value is T, kind: string) => {
    const value = member(field);
    if (value === undefined || isValid(value)) return value;
    reject(field, `${field} must be ${kind}`);
    return undefined;
  };
  const text = (field: string): string | undefined => {
    const value = checked(field, isString, 'a string');
    if (value === undefined || !hasNul(value)) return value;
    reject(field, withoutNul(field));
    return undefined;
  };
  return {
    text,
    reject,
    required(field: string): string {
      const value = member(field);
      if (value === undefined || value === '') reject(field, undefined, 'missing');
      return text(field) ?? '';
    },
    /** Numeric strings are invalid. */
    integer: (field: string) => checked(field, isInteger, 'an integer'),
    /** Accepts `true`, `"True"` and `1`, and the corresponding false values. */
    flag: (field: string): boolean => boolean(checked(field, isTruth, 'true or false')),
    map(field: string): Record<string, string> {
      const value = checked(field, isObject, 'an object') ?? {};
      const entries = Object.entries(value).filter(([, one]) => one !== null);
      const bad = entries.find(([, one]) => typeof one === 'object');
      if (bad !== undefined) reject(field, `${field}.${bad[0]} must be a string`);
      else if (entries.some(([key, one]) => hasNul(key + String(one))))
        reject(field, withoutNul(field));
      // `fromEntries` even handles a key named `__proto__` safely.
      return Object.fromEntries(entries.map(([key, one]) => [key, String(one)]));
    },
    choice<T extends string>(field: string, choices: readonly T[]): T | undefined {
      const value = text(field);
      const found = choices.find((choice) => choice === value);
      if (value !== undefined && found === undefined)
        reject(field, `${field} must be one of ${choices.join(', ')}`);
      return found;
    },
    object: (field: string) => checked(field, isObject, 'an object'),
    texts: (field: string) => checked(field, isTexts, 'an array of strings'),
    /** Throws `ApiError` 422 with all collected errors, if any. */
    done(): void {
      if (errors.length > 0) throw invalid(...errors);
    },
  };
}

export const hasNul = (text: string): boolean => text.includes('\0');

export const withoutNul = (name: string): string => `${name} must not contain a NUL character`;

const isString = (value: unknown): value is string => typeof value === 'string';

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

const isTruth = (value: unknown): value is string | number | boolean =>
  typeof value === 'string'
    ? /^(true|false|1|0)$/i.test(value)
    : typeof value === 'boolean' || value === 1 || value === 0;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(isString);

/** Throws `ApiError` 413 if the body is too large. */
export async function readText(request: Pick<AppRequest, 'content'>): Promise<string> {
  const body = await readAtMost(request.content(), maxSize, maxRead);
  if (body === undefined) throw new ApiError(413, 'The request body is too large');
  return body.toString();
}

/** Returns undefined if the body exceeds `size` bytes, after reading at most `most` bytes. */
export async function readAtMost(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
  most = size,
): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of content) {
    length += part.byteLength;
    if (length <= size) parts.push(part);
    else parts.length = 0;
    if (length > most) break;
  }
  return length > size ? undefined : Buffer.concat(parts);
}

/** In bytes. Large enough for a 1 MiB annotation in which every character is escaped. */
const maxSize = 8 * 1024 * 1024;

/** Bytes to read of an oversized body. A client that is still sending may miss the response. */
const maxRead = 8 * maxSize;
