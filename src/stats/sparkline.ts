const bars = '▁▂▃▄▅▆▇█';

/** Values as bars of one character each, from 0 to the largest of them; undefined for less than two. */
export function sparkline(values: readonly number[]): string | undefined {
  if (values.length < 2) return undefined;
  const most = Math.max(...values);
  const heightOf = (value: number): number =>
    most <= 0 ? 0 : Math.min(bars.length - 1, Math.floor((value / most) * bars.length));
  return values.map((value) => bars.charAt(heightOf(value))).join('');
}
