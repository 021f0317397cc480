import { duration } from '../../render/time.ts';
import type { Scale } from './scale.ts';

/** The times above the bars, and how long the gaps were. */
export const TimeScale = ({ scale: { at, ticks, gaps } }: { readonly scale: Scale }) => {
  const long = wellApart(
    gaps.map(({ from, to }) => ({ at: (at(from) + at(to)) / 2, ms: to - from })),
  );
  const isFree = isFreeOf(long);
  return (
    <svg class="scale" aria-hidden="true">
      {ticks
        .filter((tick) => isFree(tick.at))
        .map((tick) => (
          <Time at={tick.at} text={`${tick.isAfterGap ? '+' : ''}${sinceText(tick.since)}`} />
        ))}
      {long.map((gap) => (
        <Time at={gap.at} text={`⋯ ${duration(gap.ms).split(' ')[0] ?? ''}`} />
      ))}
    </svg>
  );
};

/** With the fraction of a second that tells it from the time before it. */
const sinceText = (ms: number): string => (ms % 1000 === 0 ? duration(ms) : `${ms / 1000}s`);

interface Gap {
  readonly at: number;
  readonly ms: number;
}

/** Of gaps whose texts would lie on each other the longest alone has one. */
function wellApart(gaps: readonly Gap[]): Gap[] {
  const kept: Gap[] = [];
  for (const gap of [...gaps].sort((one, other) => other.ms - one.ms))
    if (isFreeOf(kept)(gap.at)) kept.push(gap);
  return kept;
}

const isFreeOf =
  (gaps: readonly Gap[]) =>
  (place: number): boolean =>
    gaps.every(({ at }) => Math.abs(at - place) > room);

/** Percent of a narrow line that a time takes. */
const room = 12;

/** In the middle of its place, and inside the line. */
const Time = ({ at, text }: { readonly at: number; readonly text: string }) => (
  <text x={`${at}%`} y="14" text-anchor={at < 5 ? 'start' : at > 95 ? 'end' : 'middle'}>
    {text}
  </text>
);
