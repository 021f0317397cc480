/** Times in nanoseconds as text. */

/** `2026-11-20T10:00:00.123Z`, with all nine digits where they are not zero. */
export function instantText(time: bigint): string {
  const milliseconds = floorDivide(time, 1_000_000n);
  const rest = time - milliseconds * 1_000_000n;
  const text = new Date(Number(milliseconds)).toISOString();
  return rest === 0n ? text : `${text.slice(0, -1)}${String(rest).padStart(6, '0')}Z`;
}

/** Seconds to the last digit that is not zero: `1.25s`. */
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
