/** The parts of a report that are taken over from the service, with names and texts bounded. */
import type { BuildRef } from '../api/refs.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job, Execution } from '../api/resources/job.ts';
import { jobTitle } from '../watch/job-title.ts';
import { shownState } from '../watch/changes.ts';
import { cutText } from './byte-budget.ts';
import type { Limits } from './limits.ts';
import type { Attempt, Failure, Follower, Recovery, Report } from './report-resource.ts';

type LineLimit = Pick<Limits, 'maxLineBytes'>;

/** The build, by the names that led to it: a build does not say its organization. */
export const buildPart = (ref: BuildRef, build: Build, limits: LineLimit): Report['build'] => ({
  organization: ref.org,
  pipeline: ref.pipeline,
  number: ref.number,
  state: shownState(build),
  blocked: build.blocked === true,
  cancel_reason: bounded(build.cancel_reason, limits),
  branch: bounded(build.branch, limits),
  commit: bounded(build.commit, limits),
  message: bounded(build.message, limits),
  started_at: build.started_at ?? null,
  finished_at: build.finished_at ?? null,
  web_url: build.web_url ?? null,
});

/** What is known of a failure without its log. */
export const failurePart = (
  { job, earlier }: Execution,
  limits: LineLimit,
): Omit<Failure, keyof Log> => ({
  ...followerPart(job, limits),
  ...ending(job),
  web_url: job.web_url ?? null,
  triggered_build: job.triggered_build ?? null,
  retries: earlier.map(attemptPart),
});

type Log = Pick<
  Failure,
  | 'section'
  | 'lines'
  | 'cause'
  | 'last_line'
  | 'omitted_lines'
  | 'log_command'
  | 'truncated'
  | 'fault'
>;

export const recoveryPart = ({ job, earlier }: Execution, limits: LineLimit): Recovery => ({
  ...followerPart(job, limits),
  retries: earlier.map(attemptPart),
});

export const followerPart = (job: Job, limits: LineLimit): Follower => ({
  id: job.id ?? null,
  name: bounded(nameOf(job), limits) ?? '',
  step_key: bounded(job.step_key, limits),
  type: job.type ?? 'script',
  state: job.state ?? 'unknown',
});

/** A waiter has neither name nor key. */
const nameOf = (job: Job): string =>
  job.type === 'waiter' ? (job.name ?? job.label ?? 'wait') || 'wait' : jobTitle(job);

const attemptPart = (job: Job): Attempt => ({
  id: job.id ?? null,
  ...ending(job),
  retry_type: job.retry_type ?? null,
});

/** How an execution ended. */
const ending = (job: Job): Omit<Attempt, 'id' | 'retry_type'> => ({
  state: job.state ?? 'unknown',
  soft_failed: job.soft_failed === true,
  exit_status: job.exit_status ?? null,
  signal: job.signal || null,
  signal_reason: job.signal_reason || null,
  started_at: job.started_at ?? null,
  finished_at: job.finished_at ?? null,
});

/** Nothing where there is nothing; the mark of the cut stands in the text. */
const bounded = (text: string | null | undefined, { maxLineBytes }: LineLimit): string | null =>
  text ? cutText(text, maxLineBytes).text : null;
