/** The report of `builds failures`; `docs/failures.md` explains each member. */
import {
  inside,
  listOf,
  orNull,
  type Complete,
  type Members,
  boolean,
  integer,
  json,
  member,
  resource,
  state,
  text,
} from '../api/resources/resource.ts';

/** An object inside a document. */
export const part = <const M extends Members>(name: string, members: M) =>
  resource({ name, plural: `${name}s`, members, columns: [] });

export const textOrNull = orNull<string>('text');
export const timeOrNull = orNull<string>('time');
export const integerOrNull = orNull<number>('integer');
export const urlOrNull = orNull<string>('url');

const attempt = part('attempt', {
  id: textOrNull(),
  state: state(),
  soft_failed: boolean(),
  exit_status: integerOrNull(),
  signal: textOrNull(),
  signal_reason: textOrNull(),
  retry_type: textOrNull(),
  started_at: timeOrNull(),
  finished_at: timeOrNull(),
});

const failure = part('failure', {
  id: textOrNull(),
  name: text(),
  step_key: textOrNull(),
  type: text(),
  state: state(),
  soft_failed: boolean(),
  exit_status: integerOrNull(),
  signal: textOrNull(),
  signal_reason: textOrNull(),
  started_at: timeOrNull(),
  finished_at: timeOrNull(),
  web_url: urlOrNull(),
  triggered_build: json(),
  retries: listOf(attempt),
  section: textOrNull(),
  lines: member<readonly string[]>('list')(),
  cause: member<readonly number[]>('list')(),
  last_line: textOrNull(),
  omitted_lines: integerOrNull(),
  log_command: textOrNull(),
  truncated: boolean(),
  fault: textOrNull(),
});

const follower = part('job', {
  id: textOrNull(),
  name: text(),
  step_key: textOrNull(),
  type: text(),
  state: state(),
});

const recovery = part('job', { ...follower.members, retries: listOf(attempt) });

const note = part('annotation', {
  context: textOrNull(),
  style: text(),
  text: text(),
  truncated: boolean(),
});

const reportedBuild = part('build', {
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
  web_url: urlOrNull(),
});

const counts = part('count', {
  jobs: integer(),
  passed: integer(),
  failed: integer(),
  soft_failed: integer(),
  followed: integer(),
  blocked: integer(),
  skipped: integer(),
  unfinished: integer(),
});

const omitted = part('omission', {
  failures: integer(),
  followed: integer(),
  recovered: integer(),
  annotations: integer(),
});

/** The whole report; its columns are those of one row per failed job. */
export const reportResource = resource({
  name: 'report',
  plural: 'failures',
  members: {
    build: inside(reportedBuild),
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
