import { usageError } from '../errors.ts';

const isoForm =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * Parses ISO 8601, `2026-11-20`, `7d` (ago), `2h30m` (ago), `3 days ago` or `monday`. Returns ISO
 * 8601 in UTC with milliseconds. A time without a zone is local, and a date means its midnight.
 * Exit code 2 if the text is none of these.
 */
export function parseTime(text: string, now: Date): string {
  const trimmed = text.trim();
  const time = trimmed.toLowerCase() === 'now' ? now : (iso(trimmed) ?? pastTime(trimmed, now));
  if (time !== undefined && hasFourDigitYear(time)) return time.toISOString();
  throw usageError(
    `invalid time ${JSON.stringify(text)}; use a form such as 2026-11-20, 2026-11-20T13:30:00Z, 7d, 3 days ago, yesterday, monday or last week`,
  );
}

/** Other years are written with a sign and six digits, which services reject. */
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

/** Rejects dates such as February 30. */
function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function minutesOf(zone: string): number | undefined {
  if (/^(z|utc)$/i.test(zone)) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const units: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1000, sec: 1000, second: 1000, m: 60_000, min: 60_000, minute: 60_000 },
  ...{ h: 3_600_000, hr: 3_600_000, hour: 3_600_000, d: 86_400_000, day: 86_400_000 },
  ...{ w: 604_800_000, wk: 604_800_000, week: 604_800_000 },
};
const monthsOf: Readonly<Record<string, number>> = { mo: 1, month: 1, y: 12, yr: 12, year: 12 };
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const part = String.raw`(\d+(?:\.\d+)?)\s*([a-z]+)`;
const whole = new RegExp(`^${part}(?:[\\s,]*(?:and\\s+)?${part})*$`);

/** In characters. Limits backtracking of the regular expressions. */
const longest = 100;

function pastTime(text: string, now: Date): Date | undefined {
  if (text.length > longest) return undefined;
  const words = text.toLowerCase().replace(/\s+/g, ' ');
  const count = words.replace(/ ago$/, '').replace(/^an? /, '1 ');
  return day(words, now) ?? last(words, now) ?? (whole.test(count) ? ago(count, now) : undefined);
}

/** Midnight on the named day. A weekday means the most recent one, which may be today. */
function day(text: string, now: Date): Date | undefined {
  const days = { today: 0, yesterday: 1 }[text];
  if (days !== undefined) return midnight(now, days);
  const name = text.replace(/^(?:last|on) /, '');
  const at = weekdays.findIndex((one) => one === name || one.slice(0, 3) === name);
  if (at === -1) return undefined;
  const since = (now.getDay() - at + 7) % 7;
  return midnight(now, since === 0 && text.startsWith('last ') ? 7 : since);
}

const midnight = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);

/** `last week` means seven days ago, as in git and date. */
function last(text: string, now: Date): Date | undefined {
  const unit = /^last (hour|day|week|month|year)$/.exec(text)?.[1];
  return unit === undefined ? undefined : ago(`1 ${unit}`, now);
}

function ago(text: string, now: Date): Date | undefined {
  let time = now;
  for (const [, count = '', unit = ''] of text.matchAll(new RegExp(part, 'g'))) {
    const next = before(time, Number(count), unit);
    if (next === undefined) return undefined;
    time = next;
  }
  return time;
}

function before(time: Date, count: number, unit: string): Date | undefined {
  const name = [unit, unit.replace(/s$/, '')].find(isUnit);
  if (name === undefined) return undefined;
  const months = own(monthsOf, name);
  if (months === undefined) return new Date(time.getTime() - count * (own(units, name) ?? 0));
  return Number.isInteger(count) ? monthsBefore(time, count * months) : undefined;
}

const isUnit = (name: string): boolean =>
  Object.hasOwn(units, name) || Object.hasOwn(monthsOf, name);

const own = (table: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

function monthsBefore(time: Date, months: number): Date {
  const then = new Date(time);
  then.setMonth(time.getMonth() - months);
  if (then.getDate() !== time.getDate()) then.setDate(0);
  return then;
}
