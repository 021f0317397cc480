import { duration } from '../../render/time.ts';
import type { TimelineRow } from '../timeline/timeline.ts';
import { grouped } from './grouped.ts';
import { hasBegun, secondsOf } from './shown-rows.ts';

/** Which jobs have no bar: those that took less than the others, and those that have not begun. */
export const LeftOut = ({
  rows,
  shown,
}: {
  readonly rows: readonly TimelineRow[];
  readonly shown: readonly TimelineRow[];
}) => {
  const begun = rows.filter(hasBegun);
  const isShown = new Set(shown);
  const short = begun.filter((row) => !isShown.has(row)).map(secondsOf);
  const longest = duration(short.reduce((most, one) => Math.max(most, one), 0) * 1000);
  const parts = [
    ...(short.length > 0 ? [`${jobsText(short.length)} that took ${longest} at most`] : []),
    ...(rows.length > begun.length
      ? [`${jobsText(rows.length - begun.length)} that did not begin`]
      : []),
  ];
  return parts.length === 0 ? null : (
    <p class="hint">
      {short.length > 0 && `The ${shown.length} jobs that took longest. `}In the{' '}
      <a href="#jobs">list</a> alone: {parts.join('; ')}.
    </p>
  );
};

const jobsText = (count: number): string => `${grouped(count)} ${count === 1 ? 'job' : 'jobs'}`;
