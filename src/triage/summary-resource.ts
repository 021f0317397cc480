/** The document of `builds view --summary`, described once; `docs/summary.md` says what it means. */
import {
  boolean,
  integer,
  member,
  resource,
  state,
  text,
  type Resource,
  inside,
  listOf,
  orNull,
  type Complete,
} from '../api/resources/resource.ts';

const textOrNull = orNull<string>('text');
const timeOrNull = orNull<string>('time');
const secondsOrNull = orNull<number>('json');

const summedBuild = resource({
  name: 'build',
  plural: 'builds',
  members: {
    organization: text(),
    pipeline: text(),
    number: integer(),
    state: state(),
    blocked: boolean(),
    cancel_reason: textOrNull(),
    message: textOrNull(),
    branch: textOrNull(),
    commit: textOrNull(),
    source: textOrNull(),
    creator: textOrNull(),
    pull_request: textOrNull(),
    created_at: timeOrNull(),
    started_at: timeOrNull(),
    finished_at: timeOrNull(),
    duration: secondsOrNull(),
    web_url: orNull<string>('url')(),
  },
  columns: [],
});

const counts = resource({
  name: 'count',
  plural: 'counts',
  members: {
    jobs: integer(),
    passed: integer(),
    failed: integer(),
    soft_failed: integer(),
    canceled: integer(),
    blocked: integer(),
    running: integer(),
    waiting: integer(),
    skipped: integer(),
    not_run: integer(),
  },
  columns: [],
});

const job = resource({
  name: 'job',
  plural: 'jobs',
  members: {
    id: textOrNull(),
    name: text(),
    step_key: textOrNull(),
    state: state(),
    soft_failed: boolean(),
    exit_status: orNull<number>('integer')(),
    duration: secondsOrNull(),
    retries: integer(),
  },
  columns: [],
});

const styles = resource({
  name: 'style',
  plural: 'styles',
  members: {
    error: integer(),
    warning: integer(),
    success: integer(),
    info: integer(),
    other: integer(),
  },
  columns: [],
});

const insideOrNull = <R extends Resource>(of: R) => ({
  ...member<Complete<R> | null>('json')(),
  of,
});

/** Its columns are those of its one row of TSV. */
export const summaryResource = resource({
  name: 'summary',
  plural: 'summaries',
  members: {
    build: inside(summedBuild),
    counts: inside(counts),
    jobs: listOf(job),
    omitted_jobs: integer(),
    annotations: insideOrNull(styles),
    next: textOrNull(),
  },
  columns: [
    { path: 'build.number', heading: 'BUILD' },
    { path: 'build.state', heading: 'STATE' },
    { path: 'build.duration', heading: 'TOOK' },
    { path: 'counts.jobs', heading: 'JOBS' },
    { path: 'counts.passed', heading: 'PASSED' },
    { path: 'counts.failed', heading: 'FAILED' },
    { path: 'counts.soft_failed', heading: 'SOFT' },
    { path: 'counts.not_run', heading: 'NOT RUN' },
    { path: 'build.web_url', heading: 'ADDRESS' },
  ],
});

export type Summary = Complete<typeof summaryResource>;
