/** Times counted back from now, in words: `3 days ago`, `2h30m`, `last week`, `monday`. */

const units: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1000, sec: 1000, second: 1000, m: 60_000, min: 60_000, minute: 60_000 },
  ...{ h: 3_600_000, hr: 3_600_000, hour: 3_600_000, d: 86_400_000, day: 86_400_000 },
  ...{ w: 604_800_000, wk: 604_800_000, week: 604_800_000 },
};
const monthsOf: Readonly<Record<string, number>> = { mo: 1, month: 1, y: 12, yr: 12, year: 12 };
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const part = String.raw`(\d+(?:\.\d+)?)\s*([a-z]+)`;
const whole = new RegExp(`^${part}(?:[\\s,]*(?:and\\s+)?${part})*$`);

/** Characters; nobody writes a longer one. */
const longest = 100;

/** Undefined where the text is no such time. A bare number is none. */
export function pastTime(text: string, now: Date): Date | undefined {
  if (text.length > longest) return undefined;
  const words = text.toLowerCase().replace(/\s+/g, ' ');
  const count = words.replace(/ ago$/, '').replace(/^an? /, '1 ');
  return day(words, now) ?? last(words, now) ?? (whole.test(count) ? ago(count, now) : undefined);
}

/** Midnight of a day by its name; a day of the week is the newest one, today included. */
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

/** `last week` is seven days ago, as git and date take it. */
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

/** The same day of the month, or its last one. */
function monthsBefore(time: Date, months: number): Date {
  const then = new Date(time);
  then.setMonth(time.getMonth() - months);
  if (then.getDate() !== time.getDate()) then.setDate(0);
  return then;
}
