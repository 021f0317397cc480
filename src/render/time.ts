const withSuffix = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) UTC$/;
const iso = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))?$/;

/** Converts `2013-09-03 13:24:38 UTC`, as in pipelines, to RFC 3339. Keeps other text. */
export const rfc3339 = (text: string): string => text.replace(withSuffix, '$1T$2Z');

/** Milliseconds since the epoch. Undefined if the text is not a timestamp. */
export function instant(text: string): number | undefined {
  const normal = rfc3339(text);
  const time = iso.test(normal) ? Date.parse(normal) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** `5m ago`, `in 2h` or `just now`, or the date from 30 days on. Other text is unchanged. */
export function relativeTime(text: string, now: number): string {
  const time = instant(text);
  if (time === undefined) return text;
  const distance = Math.abs(now - time);
  if (distance < 1000) return 'just now';
  if (distance >= 30 * day) return new Date(time).toISOString().slice(0, 10);
  const length = roughly(distance);
  return time <= now ? `${length} ago` : `in ${length}`;
}

/** Formats milliseconds in the two largest units: `1h 5m`, `2m 3s`, `42s`, `0.3s`. */
export function duration(ms: number): string {
  if (ms < 50) return '0s';
  if (ms < 950) return `${(ms / 1000).toFixed(1)}s`;
  if (ms < 1000) return '1s';
  const index = units.findIndex(([size]) => ms >= size);
  return units
    .slice(index, index + 2)
    .map(([size, name], at) => [Math.floor((at === 0 ? ms : ms % larger(size)) / size), name])
    .filter(([count], at) => at === 0 || count !== 0)
    .map(([count, name]) => `${String(count)}${String(name)}`)
    .join(' ');
}

/** Like `duration`, but without spaces: `1h5m`. */
export const compactDuration = (ms: number): string => duration(ms).replace(' ', '');

/** The time since a timestamp in one unit: `21m`, `3d`, `5mo`, `2y`. Other text is unchanged. */
export function age(text: string, now: number): string {
  const time = instant(text);
  if (time === undefined) return text;
  const ms = Math.max(0, now - time);
  if (ms < 1000) return '0s';
  if (ms < 30 * day) return roughly(ms);
  return ms < 365 * day ? `${Math.floor(ms / (30 * day))}mo` : `${Math.floor(ms / (365 * day))}y`;
}

const day = 86_400_000;
const units = [
  [day, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const;

const larger = (size: number): number =>
  units.findLast(([other]) => other > size)?.[0] ?? Number.MAX_SAFE_INTEGER;

function roughly(ms: number): string {
  const [size, name] = units.find(([unit]) => ms >= unit) ?? [1000, 's'];
  return `${Math.floor(ms / size)}${name}`;
}
