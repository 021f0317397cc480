/** Durations as users type them: `250ms`, `90s`, `15m`, `1h30m`; a bare number is seconds. */
import { usageError } from '../errors.ts';

const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
const number = String.raw`(\d+(?:\.\d+)?)`;
const durationForm = new RegExp(
  `^(?:${number}d)?(?:${number}h)?(?:${number}m(?!s))?(?:${number}s)?(?:${number}ms)?$`,
);

/** Milliseconds. Code 2, naming the flag or variable, when the text is no duration. */
export function parseDuration(text: string, name: string): number {
  const duration = durationOf(text.trim());
  if (duration !== undefined) return duration;
  throw usageError(
    `${name} takes a duration such as 250ms, 90s, 15m or 1h30m, not ${JSON.stringify(text)}`,
  );
}

/** Milliseconds, or undefined when the text is no duration. */
export function durationOf(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return inRange(Number(text) * units.s);
  const parts = text === '' ? null : durationForm.exec(text);
  if (parts === null) return undefined;
  const sizes = Object.values(units);
  return inRange(sizes.reduce((sum, size, i) => sum + Number(parts[i + 1] ?? 0) * size, 0));
}

const inRange = (ms: number): number | undefined =>
  Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : undefined;
