import { invalid } from './api-error.ts';

/** `true`, `True`, `1`. */
export const boolean = (value: unknown): boolean =>
  value === true || value === 1 || /^(true|1)$/i.test(typeof value === 'string' ? value : '');

/** Returns all values of `name` and `name[]`; undefined if the parameter is missing. */
export function texts(query: URLSearchParams, name: string): string[] | undefined {
  const values = [...query.getAll(name), ...query.getAll(`${name}[]`)].filter((one) => one !== '');
  return values.length === 0 ? undefined : values;
}

/** Returns the key and value of each `meta_data[key]=value`, in order. */
export function pairs(query: URLSearchParams, name: string): [string, string][] {
  const inside = (key: string): boolean => key.startsWith(`${name}[`) && key.endsWith(']');
  return [...query]
    .filter(([key]) => inside(key))
    .map(([key, value]) => [key.slice(name.length + 1, -1), value]);
}

/** Parses an ISO 8601 time in extended or basic form; UTC by default. Throws `ApiError` 422. */
export function instant(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  // An unencoded `+` in the offset was decoded as a space.
  const written = text
    .trim()
    .replace(/ (\d\d:?\d\d)$/, (whole, zone: string, at: number) => (at > 10 ? `+${zone}` : whole));
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ]([\d:.,]+))?\s*(Z|UTC|[ +-]\d\d:?\d\d)?$/i.exec(
    extended(written),
  );
  const at = parts === null ? NaN : Date.parse(isoForm(parts)) + beyond(parts);
  if (Number.isNaN(at))
    throw invalid({
      field: name,
      code: 'invalid',
      message: `${name} is not a valid ISO 8601 time`,
    });
  return at;
}

/** Converts `20260102T030405.5+0100` to the extended form. */
function extended(text: string): string {
  const basic =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(?:(\d\d)(?:(\d\d)([.,]\d+)?)?)?(Z|UTC|[ +-]\d{4})?)?$/i.exec(
      text,
    );
  if (basic === null) return text;
  const [, year, month, day, hour, minute = '00', second = '00', part = '', zone = ''] = basic;
  const time = hour === undefined ? '' : `T${hour}:${minute}:${second}${part}${zone}`;
  return `${[year, month, day].join('-')}${time}`;
}

/** Returns NaN for an invalid day, 1 if nonzero digits below 1 ms were dropped, and otherwise 0. */
function beyond([, day = '', time = '']: RegExpExecArray): number {
  const isDay = new Date(Date.parse(day) || 0).toISOString().startsWith(day);
  if (!isDay) return NaN;
  return /[.,]\d{3}\d*[1-9]/.test(time) ? 1 : 0;
}

function isoForm([, day = '', time = '00:00', zone = 'Z']: RegExpExecArray): string {
  const offset = /^(z|utc)$/i.test(zone) ? 'Z' : zone.replace(/^(...)(\d\d)$/, '$1:$2');
  const clock = /^\d\d$/.test(time) ? `${time}:00` : time.replace(',', '.');
  return `${day}T${clock}${offset}`;
}
