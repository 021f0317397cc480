import { badRequest } from '../http/api-error.ts';

/** A value of the scalar `JSON`: as it is, or as a text, which is how typed clients send it. */
export function readJsonInput(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw badRequest(`${name} is not valid JSON`);
  }
}
