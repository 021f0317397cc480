import { raw } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Child } from 'hono/jsx';
import type { BuildView } from './build-view.ts';
import { htmlOf, Plain } from '../elements.tsx';
import { BuildHead } from './build-head.tsx';
import { JobList, listedJobs } from './job-list.tsx';
import { jobRows, JobLabel, nameOf, grouped } from './job-row.tsx';
import type { Job } from '../../api/resources/job.ts';
import type { Timeline, TimelineJob, TimelineRow } from '../timeline.ts';
import { Chart, scaleOf, type Span, TimeScale } from './chart.tsx';
import { stateText } from '../../render/state.ts';
import { duration } from '../../render/time.ts';
import type { Annotation } from '../../api/resources/annotation.ts';
import { safeHtml } from './safe-html.ts';

export const BuildBody = ({ view }: { readonly view: BuildView }) => (
  <>{[...buildParts(view).sections.values()].map((html) => raw(html))}</>
);

export interface BuildParts {
  readonly view: BuildView;
  readonly sections: ReadonlyMap<string, string>;
  /** The rows of the jobs, which are also part of the `jobs` section */
  readonly rows: ReadonlyMap<string, string>;
}

/** Renders all sections. Annotations that have not changed are reused from `before`. */
export function buildParts(view: BuildView, before?: BuildParts): BuildParts {
  const listed = listedJobs(view);
  const rows = jobRows(view, listed.list);
  const notes = before?.view.annotations === view.annotations && before.sections.get('annotations');
  const sections = new Map([
    section('head', <BuildHead view={view} />),
    notes ? (['annotations', notes] as const) : section('annotations', <Annotations view={view} />),
    section('waterfall', <Waterfall view={view} />),
    section('jobs', <JobList view={view} listed={listed} rows={rows} />),
  ]);
  return { view, sections, rows };
}

const section = (id: string, content: JSX.Element): readonly [string, string] => [
  id,
  htmlOf(
    <section id={id} data-part>
      {content}
    </section>,
  ),
];

/** The parts that differ from `before`. If the list of jobs is the same, compares each row. */
export function changedParts(
  now: BuildParts,
  before?: BuildParts,
): readonly { readonly id: string; readonly html: string }[] {
  const sameJobs =
    before !== undefined && [...before.rows.keys()].join() === [...now.rows.keys()].join();
  const parts = [...now.sections].filter(([id]) => !sameJobs || id !== 'jobs');
  const rows = sameJobs ? [...now.rows] : [];
  return [...parts, ...rows].flatMap(([id, html]) =>
    before?.sections.get(id) === html || before?.rows.get(id) === html ? [] : [{ id, html }],
  );
}

const Waterfall = ({ view }: { readonly view: BuildView }) => {
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
            <WaterfallRow view={view} row={row} jobs={jobs} />
          ))}
        </ol>
        <Chart view={view} rows={shown} jobs={jobs} scale={scale} />
      </div>
      <p class="line hint" aria-hidden="true">
        <span>
          <span class="key key-wait" /> waiting
        </span>
        <span>
          <span class="key good" /> running
        </span>
        <span>
          <span class="critical">◆</span> on the critical path
        </span>
      </p>
    </>
  );
};

/** Times at which something was running or ready to run. Manual approvals are not included. */
const busyTimes = ({ jobs: lines, to }: Timeline, jobs: ReadonlyMap<string, Job>): Span[] =>
  lines.flatMap(({ id, waited_from, started, finished }) => {
    const from = waited_from ?? started;
    const end = finished ?? to;
    const isManual = jobs.get(id)?.type === 'manual';
    return from === null || end === null || isManual ? [] : [{ from, to: end }];
  });

interface WithJobs {
  readonly view: BuildView;
  /** The jobs of the build by ID */
  readonly jobs: ReadonlyMap<string, Job>;
}

/** The bars are drawn over the row, so screen readers get the same information as text. */
const WaterfallRow = ({ view, row, jobs }: WithJobs & { readonly row: TimelineRow }) => {
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
      <JobLabel job={job} />
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

/** For example, `passed, waited 2s, ran 10s, after Build, on the critical path`. */
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

const CriticalPath = ({ view, jobs }: WithJobs) => {
  const lines = new Map(view.timeline.jobs.map((line) => [line.id, line]));
  const path = view.timeline.critical_path;
  const shown = path.slice(-mostNamed);
  return (
    <p>
      <span class="critical" aria-hidden="true">
        ◆
      </span>{' '}
      Critical path: {path.length > shown.length && '… → '}
      {shown.map((id, index) => {
        const { waited = null, ran = null } = lines.get(id) ?? {};
        const seconds = (waited ?? 0) + (ran ?? 0);
        return (
          <>
            {index > 0 && ' → '}
            <a href={`#${id}`}>
              <JobLabel job={jobs.get(id) ?? {}} />
            </a>{' '}
            <span class="quiet">{duration(seconds * 1000)}</span>
          </>
        );
      })}
    </p>
  );
};

const mostNamed = 8;

interface Rows {
  readonly rows: readonly TimelineRow[];
  readonly shown: readonly TimelineRow[];
}

/** Describes the jobs without a bar: the shortest ones, and those that have not started. */
const LeftOut = ({ rows, shown }: Rows) => {
  const begun = rows.filter(hasBegun);
  const short = begun.filter((row) => !shown.includes(row)).map(secondsOf);
  const longest = duration(Math.max(0, ...short) * 1000);
  const notBegun = rows.length - begun.length;
  const parts = [
    ...(short.length > 0 ? [`${jobsText(short.length)} that took at most ${longest}`] : []),
    ...(notBegun > 0 ? [`${jobsText(notBegun)} not started`] : []),
  ];
  return parts.length === 0 ? null : (
    <p class="hint">
      {short.length > 0 && `The ${shown.length} longest jobs. `}Shown only in the{' '}
      <a href="#jobs">list</a>: {parts.join('; ')}.
    </p>
  );
};

const jobsText = (count: number): string => `${grouped(count)} ${count === 1 ? 'job' : 'jobs'}`;

/** With more rows than this, the chart would be unreadable. */
const mostRows = 400;

/** The rows that have times. If there are too many, only the critical and the longest rows. */
function shownRows(rows: readonly TimelineRow[]): readonly TimelineRow[] {
  const begun = rows.filter(hasBegun);
  if (begun.length <= mostRows) return begun;
  const longest = [...begun].sort((one, other) => weightOf(other) - weightOf(one));
  const shown = new Set(longest.slice(0, mostRows));
  return begun.filter((row) => shown.has(row));
}

const hasBegun = ({ jobs }: TimelineRow): boolean =>
  jobs.some(({ waited_from, started }) => (waited_from ?? started) !== null);

const secondsOf = ({ jobs }: TimelineRow): number =>
  jobs.reduce((sum, { waited, ran }) => sum + (waited ?? 0) + (ran ?? 0), 0);

const weightOf = (row: TimelineRow): number =>
  row.jobs.some(({ on_critical_path: isCritical }) => isCritical) ? Infinity : secondsOf(row);

/** The service has rendered these, but they are sanitized again here. */
const Annotations = ({ view: { annotations, context } }: { readonly view: BuildView }) =>
  annotations.length === 0 ? null : (
    <>
      <h2>Annotations</h2>
      {annotations.map((annotation) => (
        <AnnotationBox
          annotation={annotation}
          body={safeHtml(annotation.body_html ?? '', context.link)}
        />
      ))}
    </>
  );

/** `body` must be the result of `safeHtml`. */
export const AnnotationBox = ({
  annotation: { id, context, style },
  body,
  children,
}: {
  readonly annotation: Annotation;
  readonly body: string;
  readonly children?: Child;
}) => (
  <article class={`annotation ${tones.get(style ?? '') ?? 'quiet'}`} id={`annotation-${id ?? ''}`}>
    <p class="quiet">
      <Plain text={context ?? ''} />
      {/* Color must not be the only difference between styles. */}
      {tones.has(style ?? '') && <span class="note">{style}</span>}
    </p>
    <div>{raw(body)}</div>
    {children}
  </article>
);

const tones = new Map([
  ['success', 'good'],
  ['info', 'active'],
  ['warning', 'busy'],
  ['error', 'bad'],
]);
