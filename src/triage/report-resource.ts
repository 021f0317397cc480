/** The report of `builds failures`; `docs/failures.md` explains each member. */
import {
  inside,
  listOf,
  orNull,
  type Complete,
  boolean,
  integer,
  json,
  member,
  resource,
  state,
  text,
} from '../api/resources/resource.ts';

const textOrNull = orNull<string>('text');
const timeOrNull = orNull<string>('time');
const lines = member<readonly string[]>('list');
const places = member<readonly number[]>('list');

const attempt = resource({
  name: 'attempt',
  plural: 'attempts',
  members: {
    id: textOrNull(),
    state: state(),
    soft_failed: boolean(),
    exit_status: orNull<number>('integer')(),
    signal: textOrNull(),
    signal_reason: textOrNull(),
    retry_type: textOrNull(),
    started_at: timeOrNull(),
    finished_at: timeOrNull(),
  },
  columns: [],
});

const failure = resource({
  name: 'failure',
  plural: 'failures',
  members: {
    id: textOrNull(),
    name: text(),
    step_key: textOrNull(),
    type: text(),
    state: state(),
    soft_failed: boolean(),
    exit_status: orNull<number>('integer')(),
    signal: textOrNull(),
    signal_reason: textOrNull(),
    started_at: timeOrNull(),
    finished_at: timeOrNull(),
    web_url: orNull<string>('url')(),
    triggered_build: json(),
    retries: listOf(attempt),
    section: textOrNull(),
    lines: lines(),
    cause: places(),
    last_line: textOrNull(),
    omitted_lines: orNull<number>('integer')(),
    log_command: textOrNull(),
    truncated: boolean(),
    fault: textOrNull(),
  },
  columns: [],
});

const follower = resource({
  name: 'job',
  plural: 'jobs',
  members: { id: textOrNull(), name: text(), step_key: textOrNull(), type: text(), state: state() },
  columns: [],
});

const recovery = resource({
  name: 'job',
  plural: 'jobs',
  members: { ...follower.members, retries: listOf(attempt) },
  columns: [],
});

const note = resource({
  name: 'annotation',
  plural: 'annotations',
  members: { context: textOrNull(), style: text(), text: text(), truncated: boolean() },
  columns: [],
});

const reportedLine = resource({
  name: 'build',
  plural: 'builds',
  members: {
    organization: text(),
    pipeline: text(),
    number: integer(),
    state: state(),
    blocked: boolean(),
    cancel_reason: textOrNull(),
    branch: textOrNull(),
    commit: textOrNull(),
    message: textOrNull(),
    started_at: timeOrNull(),
    finished_at: timeOrNull(),
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
    followed: integer(),
    blocked: integer(),
    skipped: integer(),
    unfinished: integer(),
  },
  columns: [],
});

const omitted = resource({
  name: 'omission',
  plural: 'omissions',
  members: {
    failures: integer(),
    followed: integer(),
    recovered: integer(),
    annotations: integer(),
  },
  columns: [],
});

/** The whole report; its columns are those of one row per failed job. */
export const reportResource = resource({
  name: 'report',
  plural: 'failures',
  members: {
    build: inside(reportedLine),
    counts: inside(counts),
    failures: listOf(failure),
    followed: listOf(follower),
    recovered: listOf(recovery),
    annotations: listOf(note),
    annotations_fault: textOrNull(),
    omitted: inside(omitted),
    truncated: boolean(),
  },
  columns: [
    { path: 'failures.id', heading: 'ID' },
    { path: 'failures.state', heading: 'STATE' },
    { path: 'failures.exit_status', heading: 'EXIT' },
    { path: 'failures.name', heading: 'NAME' },
    { path: 'failures.section', heading: 'SECTION' },
    { path: 'failures.last_line', heading: 'CAUSE' },
    { path: 'failures.soft_failed', heading: 'SOFT' },
  ],
});

export type Report = Complete<typeof reportResource>;
export type Failure = Complete<typeof failure>;
export type Follower = Complete<typeof follower>;
export type Recovery = Complete<typeof recovery>;
export type Attempt = Complete<typeof attempt>;
export type Note = Complete<typeof note>;
export type Counts = Complete<typeof counts>;
