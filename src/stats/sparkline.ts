const bars = '▁▂▃▄▅▆▇█';

/** More would take the room of the name beside them. */
const most = 10;

/**
 * Values as bars of one character each, from 0 to the largest of them; of many the means of
 * neighbours. Undefined for less than two.
 */
export function sparkline(values: readonly number[]): string | undefined {
  if (values.length < 2) return undefined;
  const shown = fewer(values);
  const top = Math.max(...shown);
  const heightOf = (value: number): number =>
    top <= 0 ? 0 : Math.min(bars.length - 1, Math.floor((value / top) * bars.length));
  return shown.map((value) => bars.charAt(heightOf(value))).join('');
}

function fewer(values: readonly number[]): readonly number[] {
  if (values.length <= most) return values;
  const start = (index: number): number => Math.floor((index * values.length) / most);
  return Array.from({ length: most }, (_, index) => {
    const part = values.slice(start(index), start(index + 1));
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}
