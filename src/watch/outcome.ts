/** What a build or a job that was waited for means as an exit code (`cictl help exit-codes`). */
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';

/** How the user wants builds judged that have no result. */
export interface OutcomeOptions {
  /** A blocked build is judged by its state. */
  readonly allowBlocked?: boolean | undefined;
  /** A build that was skipped or not run is fine. */
  readonly allowSkipped?: boolean | undefined;
}

/** A build waits for a person. `blocked` comes first: `state` keeps its last value then. */
export const isBlocked = (build: Build): boolean =>
  build.blocked === true || build.state === 'blocked';

/**
 * Nothing more happens to the build without a user. A state that is not known here is
 * watched on. A blocked build settles only when its other jobs have come to rest.
 */
export const isSettled = (build: Build): boolean =>
  isBlocked(build) ? !(build.jobs ?? []).some(isActive) : finalStates.has(build.state ?? '');

/** Whatever else happens in it, the build ends as failed: a job has, and is not tried again. */
export const isBoundToFail = (build: Build): boolean =>
  build.state === 'failing' ||
  build.state === 'failed' ||
  (build.jobs ?? []).some((job) => jobExit(job) === 1 && job.retried !== true);

/** The exit code of a settled build; one that has not settled counts as what it is by now. */
export function buildExit(build: Build, options: OutcomeOptions = {}): number {
  if (isBlocked(build) && options.allowBlocked !== true) return 4;
  const code = buildCodes.get(build.state ?? '') ?? 0;
  return code === 5 && options.allowSkipped === true ? 0 : code;
}

/** The exit code of a job, or undefined while it goes on (states unknown here included). */
export function jobExit(job: Job): number | undefined {
  const code = jobCodes.get(job.state ?? '');
  return code === 1 && job.soft_failed === true ? 0 : code;
}

/** Of several outcomes the worst, which is the largest code. */
export const worst = (codes: readonly number[]): number => Math.max(0, ...codes);

/** The job is running, or about to. */
export const isActive = (job: Job): boolean => activeStates.has(job.state ?? '');

const activeStates = new Set([
  'scheduled',
  'assigned',
  'accepted',
  'running',
  'canceling',
  'timing_out',
]);

const finalStates = new Set(['passed', 'failed', 'canceled', 'skipped', 'not_run']);

const buildCodes: ReadonlyMap<string, number> = new Map([
  ['failing', 1],
  ['failed', 1],
  ['canceling', 3],
  ['canceled', 3],
  ['skipped', 5],
  ['not_run', 5],
]);

const jobCodes: ReadonlyMap<string, number> = new Map([
  ['passed', 0],
  ['unblocked', 0],
  ['failed', 1],
  ['timed_out', 1],
  ['expired', 1],
  ['canceled', 3],
  ['blocked', 4],
  ['skipped', 5],
  ['broken', 5],
  ['waiting_failed', 5],
  ['blocked_failed', 5],
  ['unblocked_failed', 5],
]);

/** Whether the job failed and that counts: a soft failure does not (`cictl help exit-codes`). */
export const isFailedJob = (job: Job): boolean => jobExit(job) === 1;
