/** The report of `builds failures`. `docs/failures.md` explains each field. */
import {
  inside,
  listOf,
  orNull,
  type Complete,
  type Member,
  boolean,
  integer,
  json,
  member,
  part,
  resource,
  state,
  text,
} from '../api/resources/resource.ts';

/** Creates several fields of the same type. */
const all =
  <T>(make: () => Member<T>) =>
  <const N extends string>(...names: readonly N[]) =>
    Object.fromEntries(names.map((name) => [name, make()])) as Record<N, Member<T>>;

export const texts = all(text);
export const integers = all(integer);
export const textsOrNull = all(orNull<string>('text'));
export const timesOrNull = all(orNull<string>('time'));
export const integersOrNull = all(orNull<number>('integer'));
export const urlsOrNull = all(orNull<string>('url'));

const ending = {
  state: state(),
  soft_failed: boolean(),
  ...integersOrNull('exit_status'),
  ...textsOrNull('signal', 'signal_reason'),
};

const attempt = part({
  ...textsOrNull('id'),
  ...ending,
  ...textsOrNull('retry_type'),
  ...timesOrNull('started_at', 'finished_at'),
});

const follower = part({
  ...textsOrNull('id'),
  ...texts('name'),
  ...textsOrNull('step_key'),
  ...texts('type'),
  state: state(),
});

const failure = part({
  ...follower.members,
  ...ending,
  ...timesOrNull('started_at', 'finished_at'),
  ...urlsOrNull('web_url'),
  triggered_build: json(),
  retries: listOf(attempt),
  ...textsOrNull('section'),
  lines: member<readonly string[]>('list')(),
  cause: member<readonly number[]>('list')(),
  ...textsOrNull('last_line'),
  ...integersOrNull('omitted_lines'),
  ...textsOrNull('log_command'),
  truncated: boolean(),
  ...textsOrNull('fault'),
});

const cause = part({
  ...texts('signature', 'title'),
  ...textsOrNull('line'),
  jobs: listOf(part({ ...textsOrNull('id'), ...texts('name'), ...textsOrNull('step_key') })),
  excerpt: member<readonly string[]>('list')(),
});

const recovery = part({ ...follower.members, retries: listOf(attempt) });

const note = part({
  ...textsOrNull('context'),
  ...texts('style', 'text'),
  truncated: boolean(),
});

const reportedBuild = part({
  ...texts('organization', 'pipeline'),
  ...integers('number'),
  state: state(),
  blocked: boolean(),
  ...textsOrNull('cancel_reason', 'branch', 'commit', 'message'),
  ...timesOrNull('started_at', 'finished_at'),
  ...urlsOrNull('web_url'),
});

const counts = part({
  ...integers('jobs', 'passed', 'failed', 'soft_failed', 'canceled'),
  ...integers('followed', 'blocked', 'skipped', 'unfinished'),
});

const omitted = part(integers('causes', 'failures', 'followed', 'recovered', 'annotations'));

/** The whole report. The columns describe one row per failed job. */
export const reportResource = resource({
  name: 'report',
  plural: 'failures',
  members: {
    build: inside(reportedBuild),
    counts: inside(counts),
    causes: listOf(cause),
    failures: listOf(failure),
    followed: listOf(follower),
    recovered: listOf(recovery),
    annotations: listOf(note),
    ...textsOrNull('annotations_fault'),
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
export type CausePart = Complete<typeof cause>;
export type Failure = Complete<typeof failure>;
export type Follower = Complete<typeof follower>;
export type Attempt = Complete<typeof attempt>;
export type Note = Complete<typeof note>;
export type Counts = Complete<typeof counts>;
