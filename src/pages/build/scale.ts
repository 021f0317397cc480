/** Times as places on a line, in percent of its width. */
export interface Scale {
  readonly from: number;
  /** Milliseconds of the whole line. */
  readonly span: number;
  /** Of a time in milliseconds since the epoch: 0 to 100. */
  readonly at: (time: number) => number;
  /** Round times along the line, in milliseconds since its start. */
  readonly ticks: readonly number[];
}

/** From one time to another, in milliseconds since the epoch. */
export function scaleOf(from: number, to: number): Scale {
  const span = Math.max(to - from, 1000);
  const step =
    steps.find((one) => span / one <= mostTicks) ?? day * Math.ceil(span / day / mostTicks);
  const ticks = Array.from({ length: Math.floor(span / step) + 1 }, (_, index) => index * step);
  return { from, span, ticks, at: (time) => rounded(((time - from) / span) * 100) };
}

const mostTicks = 5;
const day = 86_400_000;
const seconds = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200,
];
const steps = [200, ...seconds.map((one) => one * 1000), day];

/** Enough for a line of 4000 pixels. */
const rounded = (percent: number): number =>
  Math.round(Math.min(100, Math.max(0, percent)) * 100) / 100;
