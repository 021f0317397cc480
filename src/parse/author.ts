/** `--author "Name <mail>"`. */
import { usageError } from '../errors.ts';

/** Name and address of an author. Code 2 unless both are there. */
export function parseAuthor(text: string): { name: string; email: string } {
  const [, name, email] = /^\s*([^<>]*[^<>\s])\s*<\s*([^<>\s]+@[^<>\s]+)\s*>\s*$/.exec(text) ?? [];
  if (name !== undefined && email !== undefined) return { name, email };
  throw usageError(`${JSON.stringify(text)} is no author: write it as "Name <mail@example.com>"`);
}
