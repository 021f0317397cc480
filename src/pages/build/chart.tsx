import type { Job } from '../../api/resources/job.ts';
import type { TimelineJob, TimelineRow } from '../timeline/timeline.ts';
import type { BuildView } from './build-view.ts';
import { ChartBars } from './chart-bars.tsx';
import type { Scale } from './scale.ts';

interface ChartProps {
  readonly view: BuildView;
  readonly rows: readonly TimelineRow[];
  readonly jobs: ReadonlyMap<string, Job>;
  readonly scale: Scale;
}

/**
 * The bars, over the rows of a list whose height they share: places are in percent of both, so that the
 * picture fits every width. What it shows stands in the list as text.
 */
export const Chart = ({ view, rows, jobs, scale }: ChartProps) => {
  const middle = (index: number): number => Math.round(((index + 0.5) / rows.length) * 1e4) / 100;
  const places = new Map(
    rows.flatMap((row, index) => row.jobs.map(({ id }) => [id, index] as const)),
  );
  return (
    <svg class="chart" aria-hidden="true">
      {scale.gaps.map(({ from, to }) => (
        <rect
          class="gap"
          x={`${scale.at(from)}%`}
          width={`${Math.round((scale.at(to) - scale.at(from)) * 100) / 100}%`}
          height="100%"
        />
      ))}
      {scale.ticks.map((tick) => (
        <line class="tick" x1={`${tick.at}%`} x2={`${tick.at}%`} y1="0" y2="100%" />
      ))}
      {rows.flatMap((row, index) =>
        row.jobs.map((line) => (
          <Connector line={line} y={middle(index)} from={middleOf(line.after)} scale={scale} />
        )),
      )}
      {rows.flatMap((row, index) =>
        row.jobs.map((line) => (
          <ChartBars
            view={view}
            line={line}
            job={jobs.get(line.id) ?? {}}
            y={middle(index)}
            scale={scale}
          />
        )),
      )}
    </svg>
  );

  function middleOf(id: string | null): number | undefined {
    const index = places.get(id ?? '');
    return index === undefined ? undefined : middle(index);
  }
};

/** From the row of what it waited for down to its own, where its waiting begins. */
const Connector = ({
  line,
  y,
  from,
  scale,
}: {
  readonly line: TimelineJob;
  readonly y: number;
  readonly from: number | undefined;
  readonly scale: Scale;
}) => {
  const start = line.waited_from ?? line.started;
  if (from === undefined || from === y || start === null) return null;
  const x = `${scale.at(start)}%`;
  return (
    <line
      class={line.on_critical_path ? 'link on-path' : 'link'}
      x1={x}
      x2={x}
      y1={`${from}%`}
      y2={`${y}%`}
    />
  );
};
