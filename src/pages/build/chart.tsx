import type { Job } from '../../api/resources/job.ts';
import type { TimelineJob, TimelineRow } from '../timeline.ts';
import type { BuildView } from './build-view.ts';
import { toneOf } from '../elements.tsx';
import { duration } from '../../render/time.ts';

/** Drawn over the rows of the list. Positions are percentages, so that the chart fits any width. */
export const Chart = ({
  view,
  rows,
  jobs,
  scale,
}: {
  readonly view: BuildView;
  readonly rows: readonly TimelineRow[];
  readonly jobs: ReadonlyMap<string, Job>;
  readonly scale: Scale;
}) => {
  const middle = (index: number): number => Math.round(((index + 0.5) / rows.length) * 1e4) / 100;
  const lines = rows.flatMap((row, index) => row.jobs.map((line) => ({ line, y: middle(index) })));
  const places = new Map(lines.map(({ line, y }) => [line.id, y]));
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
      {lines.map(({ line, y }) => (
        <Connector line={line} y={y} from={places.get(line.after ?? '')} scale={scale} />
      ))}
      {lines.map(({ line, y }) => (
        <ChartBars view={view} line={line} job={jobs.get(line.id) ?? {}} y={y} scale={scale} />
      ))}
    </svg>
  );
};

interface AtRow {
  readonly line: TimelineJob;
  /** As a percentage of the chart's height */
  readonly y: number;
  readonly scale: Scale;
}

/** A line from the row of the job that this job waited for. */
const Connector = ({ line, y, from, scale }: AtRow & { readonly from: number | undefined }) => {
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

/** The waiting time (lighter) and the run time of one execution. A line marks the critical path. */
const ChartBars = ({
  view,
  line,
  job,
  y,
  scale,
}: AtRow & { readonly view: BuildView; readonly job: Job }) => {
  const { started, finished, waited_from: from } = line;
  const end = finished ?? view.context.now;
  const href = view.jobHref(job);
  const place = { y, scale };
  const tone = toneOf(job.state ?? '', job);
  const bars = (
    <>
      {from !== null && <Bar kind="waits" from={from} to={started ?? end} {...place} />}
      {started !== null && <Bar kind={`runs ${tone}`} from={started} to={end} {...place} />}
      {line.on_critical_path && (
        <Bar kind="marks" from={from ?? started ?? end} to={end} {...place} />
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
}: Omit<AtRow, 'line'> & Span & { readonly kind: string }) => {
  const x = Math.min(scale.at(from), 100 - least);
  const width = Math.max(Math.round((scale.at(to) - x) * 100) / 100, kind === 'waits' ? 0 : least);
  const height = kind === 'marks' ? 2 : 12;
  if (width === 0) return null;
  return <rect class={kind} x={`${x}%`} width={`${width}%`} y={`${y}%`} height={height} />;
};

const least = 0.4;

export const TimeScale = ({ scale: { at, ticks, gaps } }: { readonly scale: Scale }) => {
  const long = wellApart(
    gaps.map(({ from, to }) => ({ at: (at(from) + at(to)) / 2, ms: to - from })),
  );
  return (
    <svg class="scale" aria-hidden="true">
      {ticks
        .filter((tick) => isFreeOf(long, tick.at))
        .map((tick) => (
          <Time at={tick.at} text={`${tick.isAfterGap ? '+' : ''}${sinceText(tick.since)}`} />
        ))}
      {long.map((gap) => (
        <Time at={gap.at} text={`⋯ ${duration(gap.ms).split(' ')[0] ?? ''}`} />
      ))}
    </svg>
  );
};

const sinceText = (ms: number): string => (ms % 1000 === 0 ? duration(ms) : `${ms / 1000}s`);

interface Gap {
  readonly at: number;
  readonly ms: number;
}

/** If the labels of gaps would overlap, keeps only the label of the longest gap. */
function wellApart(gaps: readonly Gap[]): Gap[] {
  const kept: Gap[] = [];
  for (const gap of [...gaps].sort((one, other) => other.ms - one.ms))
    if (isFreeOf(kept, gap.at)) kept.push(gap);
  return kept;
}

const isFreeOf = (gaps: readonly Gap[], place: number): boolean =>
  gaps.every(({ at }) => Math.abs(at - place) > room);

/** Minimum distance between labels, as a percentage of the width of a narrow chart. */
const room = 12;

const Time = ({ at, text }: { readonly at: number; readonly text: string }) => (
  <text x={`${at}%`} y="14" text-anchor={at < 5 ? 'start' : at > 95 ? 'end' : 'middle'}>
    {text}
  </text>
);

/** Maps times to positions, which are percentages of the width. */
interface Scale {
  readonly at: (time: number) => number;
  /** Round times, in milliseconds since the start or since the last gap */
  readonly ticks: readonly {
    readonly at: number;
    readonly since: number;
    readonly isAfterGap: boolean;
  }[];
  /** Long periods when nothing was running or ready to run. Drawn compressed, not to scale. */
  readonly gaps: readonly Span[];
}

/** All times are milliseconds since the epoch. */
export function scaleOf(from: number, to: number, busy: readonly Span[]): Scale {
  const shortest = from + 1000;
  const whole = { from, to: Math.max(to, shortest) };
  // Builds shorter than a second have no gaps.
  const stretches = stretchesOf(whole, to < shortest ? [whole] : busy);
  const width = stretches.reduce((sum, one) => sum + one.width, 0);
  const at = (time: number): number => rounded((shownUntil(stretches, time) / width) * 100);
  return { at, ticks: ticksOf(stretches, at), gaps: stretches.filter(({ isGap }) => isGap) };
}

function shownUntil(stretches: readonly Stretch[], time: number): number {
  let shown = 0;
  for (const { from, to, width } of stretches) {
    if (time < to) return shown + (Math.max(0, time - from) / (to - from)) * width;
    shown += width;
  }
  return shown;
}

function ticksOf(stretches: readonly Stretch[], at: Scale['at']): Scale['ticks'] {
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

/** Rounds a position. Precise enough for a chart that is 4,000 pixels wide. */
const rounded = (percent: number): number =>
  Math.round(Math.min(100, Math.max(0, percent)) * 100) / 100;

export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Stretch extends Span {
  /** Milliseconds on the scale. Less than the real duration if this is a gap */
  readonly width: number;
  readonly isGap: boolean;
}

/** Splits the time into stretches that are drawn to scale and gaps (long idle times). */
function stretchesOf(whole: Span, busy: readonly Span[]): Stretch[] {
  const idle = idleIn(whole, busy);
  const used = idle.reduce((left, { from, to }) => left - (to - from), whole.to - whole.from);
  const gaps = used <= 0 ? [] : idle.filter(({ from, to }) => to - from > used * longIdle);
  const stretches: Stretch[] = [];
  let from = whole.from;
  for (const gap of gaps) {
    if (gap.from > from) stretches.push(asItWas({ from, to: gap.from }));
    stretches.push({ ...gap, width: used * gapWidth, isGap: true });
    from = gap.to;
  }
  return from < whole.to ? [...stretches, asItWas({ from, to: whole.to })] : stretches;
}

/** Fractions of the busy time. Idle times over `longIdle` become gaps of width `gapWidth`. */
const longIdle = 0.2;
const gapWidth = 0.1;

const asItWas = ({ from, to }: Span): Stretch => ({ from, to, width: to - from, isGap: false });

function idleIn(whole: Span, busy: readonly Span[]): Span[] {
  const idle: Span[] = [];
  let { from } = whole;
  for (const span of [...busy].sort((one, other) => one.from - other.from)) {
    if (span.from > from) idle.push({ from, to: Math.min(span.from, whole.to) });
    from = Math.max(from, span.to);
  }
  return from < whole.to ? [...idle, { from, to: whole.to }] : idle;
}
