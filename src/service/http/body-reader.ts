import type { Context } from 'hono';
import { badRequest, invalid, type FieldError, ApiError } from './api-error.ts';
import { boolean } from './query-parameters.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Throws `ApiError` 400 if it is not an object. */
export function objectOf(value: unknown): Body {
  if (!isObject(value)) throw badRequest('The request body must be a JSON object');
  return value;
}

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface BodyReader {
  /** A non-empty string. */
  required(field: string): string;
  text(field: string): string | undefined;
  /** An integer; numeric strings are rejected. */
  integer(field: string): number | undefined;
  /** `true`, `"True"`, `1` and their opposites. */
  flag(field: string): boolean;
  /** An object of strings; numbers and booleans are converted. */
  map(field: string): Record<string, string>;
  choice<T extends string>(field: string, choices: readonly T[]): T | undefined;
  object(field: string): Body | undefined;
  texts(field: string): string[] | undefined;
  addError(error: FieldError): void;
  /** Throws `ApiError` 422 with all errors. */
  done(): void;
}

/**
 * Reads the members of a JSON body and collects all errors. Null counts as missing. Strings must
 * not contain NUL, which no process can receive.
 */
export function bodyReader(body: Body): BodyReader {
  const errors: FieldError[] = [];
  const wrong = (field: string, message: string): undefined => {
    errors.push({ field, code: 'invalid', message });
    return undefined;
  };
  const member = (field: string): unknown =>
    Object.hasOwn(body, field) ? (body[field] ?? undefined) : undefined;
  const checked = <T>(
    field: string,
    isValid: (value: unknown) => value is T,
    kind: string,
  ): T | undefined => {
    const value = member(field);
    if (value === undefined || isValid(value)) return value;
    wrong(field, `${field} must be ${kind}`);
  };
  const text = (field: string): string | undefined => {
    const value = member(field);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && !hasNul(value)) return value;
    wrong(field, typeof value === 'string' ? withoutNul(field) : `${field} must be a string`);
  };
  return {
    text,
    required: (field) => {
      const value = member(field);
      if (value === undefined || value === '') errors.push({ field, code: 'missing' });
      return text(field) ?? '';
    },
    integer: (field) => checked(field, isInteger, 'an integer'),
    flag: (field) => boolean(checked(field, isTruth, 'true or false')),
    map: (field) => {
      const value = member(field) ?? {};
      if (!isObject(value)) {
        wrong(field, `${field} must be an object`);
        return {};
      }
      return strings(value, field, wrong);
    },
    choice: (field, choices) => {
      const value = text(field);
      const found = choices.find((choice) => choice === value);
      if (value !== undefined && found === undefined) {
        wrong(field, `${field} must be one of ${choices.join(', ')}`);
        return;
      }
      return found;
    },
    object: (field) => checked(field, isObject, 'an object'),
    texts: (field) => checked(field, isTexts, 'an array of strings'),
    addError: (error) => void errors.push(error),
    done: () => {
      if (errors.length > 0) throw invalid(...errors);
    },
  };
}

export const hasNul = (text: string): boolean => text.includes('\0');

export const withoutNul = (name: string): string => `${name} must not hold a NUL character`;

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

const isTruth = (value: unknown): value is string | number | boolean =>
  typeof value === 'string'
    ? /^(true|false|1|0)$/i.test(value)
    : typeof value === 'boolean' || value === 1 || value === 0;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function strings(
  value: Body,
  field: string,
  wrong: (field: string, message: string) => undefined,
): Record<string, string> {
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  const bad = entries.find(([, one]) => typeof one === 'object');
  if (bad !== undefined) wrong(field, `${field}.${bad[0]} must be a string`);
  else if (entries.some(([key, one]) => hasNul(key + String(one)))) wrong(field, withoutNul(field));
  // `fromEntries` also handles a key named `__proto__`.
  return Object.fromEntries(entries.map(([key, one]) => [key, String(one)]));
}

/** Throws `ApiError` 413 if the body is too large. */
export async function readText({ req }: Context): Promise<string> {
  const length = req.header('content-length') ?? '';
  const saysIt = req.header('transfer-encoding') === undefined && /^\d{1,9}$/.test(length);
  // Node reads no more than `Content-Length`; counting doubles the time of a small request.
  if (saysIt && Number(length) <= maxSize) return Buffer.from(await req.arrayBuffer()).toString();
  return (await readCounted(req.raw.body)).toString();
}

/** Bytes: an annotation of 1 MiB with all characters escaped fits. */
const maxSize = 8 * 1024 * 1024;

/**
 * Bytes read of a body that is too large. Closing the connection earlier would hide the response.
 */
const maxRead = 8 * maxSize;

async function readCounted(body: ReadableStream<Uint8Array> | null): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body?.values({ preventCancel: true }) ?? []) {
    length += part.byteLength;
    if (length <= maxSize) parts.push(part);
    else parts.length = 0;
    if (length > maxRead) break;
  }
  if (length > maxSize) throw new ApiError(413, 'The request body is too large');
  return Buffer.concat(parts);
}
