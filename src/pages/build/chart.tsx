import type { Job } from '../../api/resources/job.ts';
import type { TimelineJob, TimelineRow } from '../timeline.ts';
import type { BuildView } from './build-view.ts';
import { toneOf } from '../elements.tsx';
import { duration } from '../../render/time.ts';

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

/** One execution: how long it waited, lighter, and ran; a mark below both on the critical path. `y` in percent. */
const ChartBars = ({
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

/** Times as places on a line, in percent of its width. */
interface Scale {
  /** Of a time in milliseconds since the epoch: 0 to 100. */
  readonly at: (time: number) => number;
  /** Round times along the line, in milliseconds since its start or the last gap. */
  readonly ticks: readonly Tick[];
  /** Where nothing happened but that a person was waited for: they are narrower than they were long. */
  readonly gaps: readonly Span[];
}

interface Tick {
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

/** In milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Stretch extends Span {
  /** Milliseconds that it takes on the line: fewer than it has where it is a gap. */
  readonly width: number;
  readonly isGap: boolean;
}

/** Parts a time into what is shown as it was and gaps: long times in which nothing was busy. */
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

/** Shares of all busy time: from when on an idle time is a gap, and what is left of it. */
const longIdle = 0.2;
const gapWidth = 0.1;

const asItWas = ({ from, to }: Span): Stretch => ({ from, to, width: to - from, isGap: false });

/** The times between the busy ones. */
function idleIn(whole: Span, busy: readonly Span[]): Span[] {
  const idle: Span[] = [];
  let { from } = whole;
  for (const span of [...busy].sort((one, other) => one.from - other.from)) {
    if (span.from > from) idle.push({ from, to: Math.min(span.from, whole.to) });
    from = Math.max(from, span.to);
  }
  return from < whole.to ? [...idle, { from, to: whole.to }] : idle;
}
