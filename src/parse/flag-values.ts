import { usageError } from '../errors.ts';

const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
const number = String.raw`(\d+(?:\.\d+)?)`;
const durationForm = new RegExp(
  `^(?:${number}d)?(?:${number}h)?(?:${number}m(?!s))?(?:${number}s)?(?:${number}ms)?$`,
);

/** Returns milliseconds. A bare number means seconds. Exit code 2 if the text is not a duration. */
export function parseDuration(text: string, name: string): number {
  const duration = durationOf(text.trim());
  if (duration !== undefined) return duration;
  throw usageError(
    `${name} must be a duration such as 250ms, 90s, 15m or 1h30m, not ${JSON.stringify(text)}`,
  );
}

export function durationOf(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return inRange(Number(text) * units.s);
  const parts = text === '' ? null : durationForm.exec(text);
  if (parts === null) return undefined;
  const sizes = Object.values(units);
  return inRange(sizes.reduce((sum, size, i) => sum + Number(parts[i + 1] ?? 0) * size, 0));
}

const inRange = (ms: number): number | undefined =>
  Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : undefined;

const sizeForm = /^(\d+(?:\.\d+)?) ?(?:([kmgt])(i?)(b?)|b)?$/i;

/** Parses `500kB` or `1GiB` into a positive number of bytes. `10M` is `10MiB`, as in most tools. */
export function sizeOf(text: string): number | undefined {
  const [matched, number, unit = '', binary = '', b = ''] = sizeForm.exec(text.trim()) ?? [];
  if (matched === undefined) return undefined;
  const base = unit === '' || (binary === '' && b !== '') ? 1000 : 1024;
  const size = Math.round(Number(number) * base ** ' kmgt'.indexOf(unit.toLowerCase() || ' '));
  return size >= 1 && Number.isSafeInteger(size) ? size : undefined;
}

export function pair(text: string, flag: string): [key: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(`${flag} must be KEY=VALUE, not ${JSON.stringify(text)}`);
}

export const pairs = (texts: readonly string[], flag: string): Record<string, string> =>
  Object.fromEntries(texts.map((text) => pair(text, flag)));

/** Parses `Name <mail>`. Exit code 2 if a part is missing. */
export function parseAuthor(text: string): { name: string; email: string } {
  const [, name, email] = /^\s*([^<>]*[^<>\s])\s*<\s*([^<>\s]+@[^<>\s]+)\s*>\s*$/.exec(text) ?? [];
  if (name !== undefined && email !== undefined) return { name, email };
  throw usageError(`the author must be "Name <mail@example.com>", not ${JSON.stringify(text)}`);
}
