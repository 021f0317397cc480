export const utc = (time: number): string => new Date(time).toISOString();

/** Formats times as `10:00:00`, preceded by the date when it changes. Caches the last second. */
export function clockTimes(): (time: number) => string {
  let second = NaN;
  let day = '';
  let text = '';
  return (time) => {
    const now = Math.floor(time / 1000);
    if (now === second) return text.slice(-8);
    second = now;
    const [date = '', clock = ''] = utc(time).split('T');
    text = date === day ? clock.slice(0, 8) : `${date} ${clock.slice(0, 8)}`;
    day = date;
    return text;
  };
}

/** A time in the local time zone: `2026-11-20T11:00:00.123+01:00`. */
export function local(time: number): string {
  const offset = -new Date(time).getTimezoneOffset();
  const shifted = new Date(time + offset * 60_000);
  if (Number.isNaN(shifted.getTime())) return utc(time);
  const size = Math.abs(offset);
  const zone = `${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
  return shifted.toISOString().replace('Z', zone);
}

export function elapsed(milliseconds: number): string {
  const size = Math.abs(milliseconds);
  const seconds = Math.floor(size / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${milliseconds < 0 ? '-' : ''}${parts.map((part) => pad(part)).join(':')}.${pad(size % 1000, 3)}`;
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** `0.3s`, `42s`, `2m 3s`, `1h 5m`. Negative durations (the clock was set back) become zero. */
export function spanText(milliseconds: number): string {
  if (milliseconds < 1000) return `${(Math.max(0, milliseconds) / 1000).toFixed(1)}s`;
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** Formats nanoseconds as `2026-11-20T10:00:00.123Z`, with nine digits if necessary. */
export function instantText(time: bigint): string {
  const milliseconds = floorDivide(time, 1_000_000n);
  const rest = time - milliseconds * 1_000_000n;
  const text = new Date(Number(milliseconds)).toISOString();
  return rest === 0n ? text : `${text.slice(0, -1)}${String(rest).padStart(6, '0')}Z`;
}

/** Formats nanoseconds as seconds without trailing zeros: `1.25s`. */
export function durationText(time: bigint): string {
  const size = time < 0n ? -time : time;
  const fraction = String(size % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const seconds = `${time < 0n ? '-' : ''}${size / 1_000_000_000n}`;
  return `${fraction === '' ? seconds : `${seconds}.${fraction}`}s`;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value < 0n && value % by !== 0n ? quotient - 1n : quotient;
}

export const timestampKinds = ['utc', 'local', 'elapsed'] as const;

export type TimestampKind = (typeof timestampKinds)[number];
