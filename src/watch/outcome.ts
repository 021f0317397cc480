/** Exit codes of builds and jobs. */
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';

export interface OutcomeOptions {
  readonly allowBlocked?: boolean | undefined;
  readonly allowSkipped?: boolean | undefined;
}

/** Checked before `state`, because a blocked build keeps its last state. */
export const isBlocked = (build: Build): boolean =>
  build.blocked === true || build.state === 'blocked';

/** Whether nothing more happens until a user acts. Builds in unknown states are not settled. */
export const isSettled = (build: Build): boolean =>
  isBlocked(build) ? !(build.jobs ?? []).some(isActive) : finalStates.has(build.state ?? '');

/** Whether the build will certainly fail, because a job has failed and was not retried. */
export const isBoundToFail = (build: Build): boolean =>
  build.state === 'failing' ||
  build.state === 'failed' ||
  (build.jobs ?? []).some((job) => jobExit(job) === 1 && job.retried !== true);

/** The exit code of a build. If the build is not settled, its current state decides. */
export function buildExit(build: Build, options: OutcomeOptions = {}): number {
  if (isBlocked(build) && options.allowBlocked !== true) return 4;
  const code = buildCodes.get(build.state ?? '') ?? 0;
  return code === 5 && options.allowSkipped === true ? 0 : code;
}

/** The exit code of a job, or undefined while it is running or in an unknown state. */
export function jobExit(job: Job): number | undefined {
  const code = jobCodes.get(job.state ?? '');
  return code === 1 && job.soft_failed === true ? 0 : code;
}

export const worst = (codes: readonly number[]): number => Math.max(0, ...codes);

export const isActive = (job: Job): boolean => activeStates.has(job.state ?? '');

const activeStates = new Set('scheduled assigned accepted running canceling timing_out'.split(' '));

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

export const isFailedJob = (job: Job): boolean => jobExit(job) === 1;
