import { duration } from '../../render/time.ts';
import type { Scale } from './scale.ts';

/** The times above the bars. */
export const TimeScale = ({ scale }: { readonly scale: Scale }) => (
  <svg class="scale" aria-hidden="true">
    {scale.ticks.map((tick) => {
      const at = scale.at(scale.from + tick);
      return (
        <text x={`${at}%`} y="14" text-anchor={at === 0 ? 'start' : at > 90 ? 'end' : 'middle'}>
          {duration(tick)}
        </text>
      );
    })}
  </svg>
);
