import { stretchesOf, type Span, type Stretch } from './stretches.ts';

/** Times as places on a line, in percent of its width. */
export interface Scale {
  /** Of a time in milliseconds since the epoch: 0 to 100. */
  readonly at: (time: number) => number;
  /** Round times along the line, in milliseconds since its start or the last gap. */
  readonly ticks: readonly Tick[];
  /** Where nothing happened but that a person was waited for: they are narrower than they were long. */
  readonly gaps: readonly Span[];
}

export interface Tick {
  readonly at: number;
  readonly since: number;
  /** Behind a gap the time begins anew. */
  readonly isAfterGap: boolean;
}

/** From one time to another, in milliseconds since the epoch; `busy` is when something ran or was to run. */
export function scaleOf(from: number, to: number, busy: readonly Span[]): Scale {
  const shortest = from + 1000;
  const whole = { from, to: Math.max(to, shortest) };
  // In less than a second nobody was waited for, and what comes behind the end is no gap either.
  const stretches = stretchesOf(whole, to < shortest ? [whole] : busy);
  const width = stretches.reduce((sum, one) => sum + one.width, 0);
  const at = (time: number): number => rounded((shownUntil(stretches, time) / width) * 100);
  return { at, ticks: ticksOf(stretches, at), gaps: stretches.filter(({ isGap }) => isGap) };
}

/** How much of the line is before a time. */
function shownUntil(stretches: readonly Stretch[], time: number): number {
  let shown = 0;
  for (const { from, to, width } of stretches) {
    if (time < to) return shown + (Math.max(0, time - from) / (to - from)) * width;
    shown += width;
  }
  return shown;
}

function ticksOf(stretches: readonly Stretch[], at: Scale['at']): Tick[] {
  const whole = stretches.reduce((sum, { isGap, width }) => sum + (isGap ? 0 : width), 0);
  const step =
    steps.find((one) => whole / one <= mostTicks) ?? day * Math.ceil(whole / day / mostTicks);
  return stretches.flatMap(({ from, to, isGap }, index) => {
    if (isGap) return [];
    const isAfterGap = index > 0;
    const count = Math.floor((to - from) / step) + (isAfterGap ? 0 : 1);
    return Array.from({ length: count }, (_, tick) => {
      const since = (tick + (isAfterGap ? 1 : 0)) * step;
      return { at: at(from + since), since, isAfterGap };
    });
  });
}

const mostTicks = 5;
const day = 86_400_000;
const minutes = [1, 2, 5, 10, 15, 30, 60, 120, 240, 360, 720].map((one) => one * 60_000);
const steps = [200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, ...minutes, day];

/** Enough for a line of 4000 pixels. */
const rounded = (percent: number): number =>
  Math.round(Math.min(100, Math.max(0, percent)) * 100) / 100;
