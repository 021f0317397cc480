/** Members of what a service sent, of which nothing is certain. */

type Json = Readonly<Record<string, unknown>>;

/** The objects of an array; none where it is none. */
export const objectsOf = (value: unknown): Json[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];

/** A member that is an object; an empty one where it is none. */
export const objectIn = (object: Json, name: string): Json => {
  const value = object[name];
  return isObject(value) ? value : {};
};

/** A member that is a text or a number, as text; empty where it is neither. */
export function textIn(object: Json, name: string): string {
  const value = object[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
