import { duration } from '../../render/time.ts';
import type { Scale } from './scale.ts';

/** The times above the bars. */
export const TimeScale = ({ scale: { at, ticks, gaps } }: { readonly scale: Scale }) => (
  <svg class="scale" aria-hidden="true">
    {ticks.map((tick) => (
      <Time at={tick.at} text={`${tick.isAfterGap ? '+' : ''}${duration(tick.since)}`} />
    ))}
    {gaps.map(({ from, to }) => (
      <Time at={(at(from) + at(to)) / 2} text={`⋯ ${duration(to - from).split(' ')[0] ?? ''}`} />
    ))}
  </svg>
);

/** In the middle of its place, and inside the line. */
const Time = ({ at, text }: { readonly at: number; readonly text: string }) => (
  <text x={`${at}%`} y="14" text-anchor={at < 5 ? 'start' : at > 95 ? 'end' : 'middle'}>
    {text}
  </text>
);
