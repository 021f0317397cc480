/** Times as users type them -> UTC (`cictl help references`). */
import { usageError } from '../errors.ts';
import { pastTime } from './past.ts';

/** Date, then optionally time of day, seconds, fraction and zone. */
const isoForm =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * ISO 8601, `2026-11-20`, `7d` (ago), `2h30m` (ago), `3 days ago`, `monday` -> ISO 8601 in UTC, to
 * the millisecond. Without a zone they are local times; a date alone is its midnight. Code 2
 * otherwise.
 */
export function parseTime(text: string, now: Date): string {
  const trimmed = text.trim();
  const time = trimmed.toLowerCase() === 'now' ? now : (iso(trimmed) ?? pastTime(trimmed, now));
  if (time !== undefined && hasFourDigitYear(time)) return time.toISOString();
  throw usageError(
    `${JSON.stringify(text)} is no time: write it as 2026-11-20, 2026-11-20T13:30:00Z, 7d, 3 days ago, yesterday, monday or last week`,
  );
}

/** Others are written with a sign and six digits, which services take for no time. */
const hasFourDigitYear = (time: Date): boolean =>
  time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9999;

function iso(text: string): Date | undefined {
  const found = isoForm.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((digits: string | undefined) => Number(digits ?? 0));
  if (!isDate(year, month, day) || hour > 23 || minute > 59 || second > 59) return undefined;
  const ms = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const zone = found[8];
  if (zone === undefined) return new Date(year, month - 1, day, hour, minute, second, ms);
  const offset = minutesOf(zone);
  const utc = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  return offset === undefined ? undefined : new Date(utc - offset * 60_000);
}

/** Not every month has 31 days. */
function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Minutes east of UTC; undefined for an offset that no place has. */
function minutesOf(zone: string): number | undefined {
  if (/^(z|utc)$/i.test(zone)) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
