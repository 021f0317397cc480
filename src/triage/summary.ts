import type { BuildRef } from '../api/refs.ts';
import type { Annotation } from '../api/resources/annotation.ts';
import { type Build, creatorOf, pullRequestOf } from '../api/resources/build.ts';
import { durationOf } from '../api/resources/duration.ts';
import type { Job } from '../api/resources/job.ts';
import {
  boolean,
  member,
  part,
  resource,
  state,
  inside,
  listOf,
  orNull,
  type Complete,
} from '../api/resources/resource.ts';
import { currentJobs, shownState } from '../watch/changes.ts';
import { isBlocked } from '../watch/outcome.ts';
import { countStyles } from './annotations.ts';
import { countJobs, jobClass, type JobClass, jobLabel } from './job-words.ts';
import { boundedText } from './limits.ts';
import {
  integers,
  integersOrNull,
  texts,
  textsOrNull,
  timesOrNull,
  urlsOrNull,
} from './report-resource.ts';

export interface SummaryParts {
  readonly ref: BuildRef;
  readonly build: Build;
  readonly annotations: readonly Annotation[] | undefined;
  readonly next: string | undefined;
  /** Milliseconds since the epoch */
  readonly now: number;
}

/** Summarizes a build in a few fields, each of limited size. */
export function makeSummary({ ref, build, annotations, next, now }: SummaryParts): Summary {
  const jobs = mostRelevant(currentJobs(build));
  return {
    build: buildPart(ref, build, now),
    counts: countsPart(build),
    jobs: jobs.map((job) => jobPart(job, now)),
    omitted_jobs: currentJobs(build).length - jobs.length,
    annotations: annotations === undefined ? null : stylesPart(annotations),
    next: next ?? null,
  };
}

const buildPart = (
  { org, pipeline, number }: BuildRef,
  build: Build,
  now: number,
): Summary['build'] => ({
  ...{ organization: org, pipeline, number },
  state: shownState(build),
  blocked: isBlocked(build),
  cancel_reason: bounded(build.cancel_reason),
  message: bounded(build.message?.split('\n', 1)[0]),
  branch: bounded(build.branch),
  commit: bounded(build.commit),
  source: bounded(build.source),
  creator: bounded(creatorOf(build)),
  pull_request: bounded(pullRequestOf(build)),
  created_at: build.created_at ?? null,
  started_at: build.started_at ?? null,
  finished_at: build.finished_at ?? null,
  duration: durationOf(build, now),
  web_url: build.web_url ?? null,
});

const bounded = (value: string | null | undefined): string | null => boundedText(value, 200);

function countsPart(build: Build): Summary['counts'] {
  const counts = countJobs(build);
  const of = (name: JobClass): number => counts.get(name) ?? 0;
  return {
    jobs: currentJobs(build).length,
    passed: of('passed'),
    failed: of('failed'),
    soft_failed: of('soft'),
    canceled: of('canceled'),
    blocked: of('blocked'),
    running: of('running'),
    waiting: of('waiting'),
    skipped: of('skipped'),
    not_run: of('not run'),
  };
}

const mostJobs = 100;

/** Drops passed jobs first, then other jobs, always from the end of the list. */
function mostRelevant(jobs: readonly Job[]): Job[] {
  const rank = (job: Job): number => (jobClass(job) === 'passed' ? 1 : 0);
  const chosen = new Set([...jobs].sort((a, b) => rank(a) - rank(b)).slice(0, mostJobs));
  return jobs.filter((job) => chosen.has(job));
}

const jobPart = (job: Job, now: number): Summary['jobs'][number] => ({
  id: job.id ?? null,
  name: bounded(jobLabel(job)) ?? '',
  step_key: bounded(job.step_key),
  state: job.state ?? 'unknown',
  soft_failed: job.soft_failed === true,
  exit_status: job.exit_status ?? null,
  duration: durationOf(job, now),
  retries: job.retries_count ?? 0,
});

function stylesPart(annotations: readonly Annotation[]): NonNullable<Summary['annotations']> {
  const counts = countStyles(annotations);
  const of = (style: string): number => counts.get(style) ?? 0;
  return {
    error: of('error'),
    warning: of('warning'),
    success: of('success'),
    info: of('info'),
    other: of('other'),
  };
}

const seconds = orNull<number>('json');

const summarizedBuild = part({
  ...texts('organization', 'pipeline'),
  ...integers('number'),
  state: state(),
  blocked: boolean(),
  ...textsOrNull('cancel_reason', 'message', 'branch', 'commit'),
  ...textsOrNull('source', 'creator', 'pull_request'),
  ...timesOrNull('created_at', 'started_at', 'finished_at'),
  duration: seconds(),
  ...urlsOrNull('web_url'),
});

const counts = part({
  ...integers('jobs', 'passed', 'failed', 'soft_failed', 'canceled'),
  ...integers('blocked', 'running', 'waiting', 'skipped', 'not_run'),
});

const job = part({
  ...textsOrNull('id'),
  ...texts('name'),
  ...textsOrNull('step_key'),
  state: state(),
  soft_failed: boolean(),
  ...integersOrNull('exit_status'),
  duration: seconds(),
  ...integers('retries'),
});

const styles = part(integers('error', 'warning', 'success', 'info', 'other'));

/** The JSON of `builds view --summary`. `docs/summary.md` explains its fields. */
export const summaryResource = resource({
  name: 'summary',
  plural: 'summaries',
  members: {
    build: inside(summarizedBuild),
    counts: inside(counts),
    jobs: listOf(job),
    ...integers('omitted_jobs'),
    annotations: { ...member<Complete<typeof styles> | null>('json')(), of: styles },
    ...textsOrNull('next'),
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
