/** Cursors and sizes of connections. */

const maxSize = 500;

export const isGiven = <T>(value: T | null | undefined): value is T =>
  value !== null && value !== undefined;

/** Throws where it is too much or too little. */
export function sizeOf(name: string, value: number): number {
  if (value >= 0 && value <= maxSize) return value;
  throw new Error(`\`${name}\` must be between 0 and ${maxSize}`);
}

export const cursorOf = (key: string): string => Buffer.from(`cursor---${key}`).toString('base64');

/** The key that a cursor was made of; empty for what is no cursor. */
export const keyOf = (cursor: string): string =>
  /^cursor---(.*)$/s.exec(Buffer.from(cursor, 'base64').toString())?.[1] ?? '';

export const wrongCursor = (cursor: string): Error =>
  new Error(`"${cursor}" is no cursor of this list`);
