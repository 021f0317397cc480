import type { Job } from '../../api/resources/job.ts';
import { toneOf } from '../state.tsx';
import type { TimelineJob } from '../timeline/timeline.ts';
import type { BuildView } from './build-view.ts';
import type { Scale } from './scale.ts';

/** One execution: how long it waited, lighter, and ran; a mark below both on the critical path. `y` in percent. */
export const ChartBars = ({
  view,
  line,
  job,
  y,
  scale,
}: {
  readonly view: BuildView;
  readonly line: TimelineJob;
  readonly job: Job;
  readonly y: number;
  readonly scale: Scale;
}) => {
  const { started, finished, waited_from: from } = line;
  const end = finished ?? view.context.now;
  const href = view.jobHref(job);
  const bars = (
    <>
      {from !== null && <Bar kind="waits" from={from} to={started ?? end} y={y} scale={scale} />}
      {started !== null && (
        <Bar
          kind={`runs ${toneOf(job.state ?? '', job)}`}
          from={started}
          to={end}
          y={y}
          scale={scale}
        />
      )}
      {line.on_critical_path && (
        <Bar kind="marks" from={from ?? started ?? end} to={end} y={y} scale={scale} />
      )}
    </>
  );
  return href === undefined ? (
    bars
  ) : (
    <a href={href} tabindex={-1}>
      {bars}
    </a>
  );
};

const Bar = ({
  kind,
  from,
  to,
  y,
  scale,
}: {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly scale: Scale;
}) => {
  const x = Math.min(scale.at(from), 100 - least);
  const width = Math.max(Math.round((scale.at(to) - x) * 100) / 100, kind === 'waits' ? 0 : least);
  if (width === 0) return null;
  return (
    <rect
      class={kind}
      x={`${x}%`}
      width={`${width}%`}
      y={`${y}%`}
      height={kind === 'marks' ? 2 : 12}
    />
  );
};

/** Percent: what took no time is seen too. */
const least = 0.4;
