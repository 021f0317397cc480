import type { Job } from '../../api/resources/job.ts';
import { partOfParallel } from '../../api/resources/job-title.ts';
import { duration } from '../../render/time.ts';
import { stateText } from '../../render/state.ts';
import { Prose } from '../text.tsx';
import type { Timeline, TimelineJob, TimelineRow } from '../timeline/timeline.ts';
import type { BuildView } from './build-view.ts';
import { Chart } from './chart.tsx';
import { nameOf } from './name-of.ts';
import { grouped } from './listed-jobs.ts';
import { hasBegun, secondsOf, shownRows } from './shown-rows.ts';
import { scaleOf } from './scale.ts';
import type { Span } from './stretches.ts';
import { TimeScale } from './time-scale.tsx';

/** Who waited for whom, and where the time went: a list of the jobs with a bar over time beside each. */
export const Waterfall = ({ view }: { readonly view: BuildView }) => {
  const { rows, from, to } = view.timeline;
  if (from === null || to === null) return null;
  const jobs = new Map((view.build.jobs ?? []).map((job) => [job.id ?? '', job]));
  const shown = shownRows(rows);
  const scale = scaleOf(from, to, busyTimes(view.timeline, jobs));
  return (
    <>
      <h2>Waterfall</h2>
      <CriticalPath view={view} jobs={jobs} />
      <LeftOut rows={rows} shown={shown} />
      <div class="waterfall">
        <TimeScale scale={scale} />
        <ol class="waterfall-rows">
          {shown.map((row) => (
            <Row view={view} row={row} jobs={jobs} />
          ))}
        </ol>
        <Chart view={view} rows={shown} jobs={jobs} scale={scale} />
      </div>
      <p class="line hint" aria-hidden="true">
        <span>
          <span class="key key-wait" /> waits
        </span>
        <span>
          <span class="key good" /> runs
        </span>
        <span>
          <span class="critical">◆</span> on the critical path
        </span>
      </p>
    </>
  );
};

/** Which jobs have no bar: those that took less than the others, and those that have not begun. */
const LeftOut = ({
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

/** When something ran or could have run; a person takes what time they want. */
const busyTimes = ({ jobs: lines, to }: Timeline, jobs: ReadonlyMap<string, Job>): Span[] =>
  lines.flatMap(({ id, waited_from, started, finished }) => {
    const from = waited_from ?? started;
    const end = finished ?? to;
    return from === null || end === null || jobs.get(id)?.type === 'manual'
      ? []
      : [{ from, to: end }];
  });

interface RowProps {
  readonly view: BuildView;
  readonly row: TimelineRow;
  readonly jobs: ReadonlyMap<string, Job>;
}

const Row = ({ view, row, jobs }: RowProps) => {
  const job = jobs.get(row.id) ?? {};
  const href = view.jobHref(job);
  const isCritical = row.jobs.some(({ on_critical_path: is }) => is);
  const label = (
    <>
      {isCritical && (
        <span class="critical" aria-hidden="true">
          ◆{' '}
        </span>
      )}
      <Label job={job} />
    </>
  );
  return (
    <li class={isCritical ? 'on-path' : undefined}>
      {href === undefined ? (
        <span class="label">{label}</span>
      ) : (
        <a class="label" href={href}>
          {label}
        </a>
      )}
      <span class="unseen">: {row.jobs.map((line) => wordsOf(line, jobs)).join('; then ')}</span>
    </li>
  );
};

const Label = ({ job }: { readonly job: Job }) => {
  const part = partOfParallel(job);
  return (
    <>
      <Prose text={nameOf(job)} />
      {part !== undefined && ` ${part}`}
    </>
  );
};

/** What the bars show, for who does not see them. */
function wordsOf(line: TimelineJob, jobs: ReadonlyMap<string, Job>): string {
  const job = jobs.get(line.id);
  const after = jobs.get(line.after ?? '');
  return [
    stateText(job?.state ?? '', job),
    ...(line.waited === null ? [] : [`waited ${duration(line.waited * 1000)}`]),
    ...(line.ran === null ? [] : [`ran ${duration(line.ran * 1000)}`]),
    ...(after === undefined ? [] : [`after ${nameOf(after)}`]),
    ...(line.on_critical_path ? ['on the critical path'] : []),
  ].join(', ');
}

const CriticalPath = ({ view, jobs }: Pick<RowProps, 'view' | 'jobs'>) => {
  const lines = new Map(view.timeline.jobs.map((line) => [line.id, line]));
  const path = view.timeline.critical_path;
  const shown = path.length > mostNamed ? path.slice(-mostNamed) : path;
  return (
    <p>
      <span class="critical" aria-hidden="true">
        ◆
      </span>{' '}
      What took so long: {path.length > shown.length && '… → '}
      {shown.map((id, index) => {
        const { waited = null, ran = null } = lines.get(id) ?? {};
        const seconds = (waited ?? 0) + (ran ?? 0);
        return (
          <>
            {index > 0 && ' → '}
            <a href={`#${id}`}>
              <Label job={jobs.get(id) ?? {}} />
            </a>{' '}
            <span class="quiet">{duration(seconds * 1000)}</span>
          </>
        );
      })}
    </p>
  );
};

const mostNamed = 8;
