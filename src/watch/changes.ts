/** What changed between two states of a build: pure, without clock, network or terminal. */
import type { Build } from '../api/resources/build.ts';
import { executions, type Execution, type Job } from '../api/resources/job.ts';
import { instant } from '../render/time.ts';
import { isBlocked, isSettled } from './outcome.ts';

/** Something that is reported while a build is watched, in the order of the list. */
export type Event =
  | { readonly event: 'build'; readonly build: Build }
  | { readonly event: 'job'; readonly build: Build; readonly job: Job }
  | { readonly event: 'wait'; readonly build?: Build; readonly reason: string }
  | { readonly event: 'end'; readonly build?: Build; readonly exitCode: number };

/**
 * The events between two states; the first one (nothing before) reports everything there is.
 * A build that settles is reported after the jobs that settled it, else before them.
 */
export function changes(before: Build | undefined, now: Build): Event[] {
  const jobs = jobChanges(before, now);
  if (before !== undefined && buildMark(before) === buildMark(now)) return jobs;
  const build: Event = { event: 'build', build: now };
  return isSettled(now) ? [...jobs, build] : [build, ...jobs];
}

function jobChanges(before: Build | undefined, now: Build): Event[] {
  const known = new Map((before?.jobs ?? []).map((job) => [job.id, job]));
  const changed = shownJobs(now).filter((job) => {
    const old = known.get(job.id);
    // The same object says it without a look at the job: builds of thousands are polled often.
    return old !== job && (old === undefined || jobMark(old) !== jobMark(job));
  });
  return inOrder(changed).map((job) => ({ event: 'job', build: now, job }));
}

/** What has ended before what its end has set going; those that ended, in the order of their ends. */
function inOrder(jobs: readonly Job[]): Job[] {
  const ended = jobs.filter((job) => endOf(job) !== undefined);
  const others = jobs.filter((job) => endOf(job) === undefined);
  return [...ended.sort((a, b) => (endOf(a) ?? 0) - (endOf(b) ?? 0)), ...others];
}

const endOf = ({ finished_at }: Job): number | undefined => instant(finished_at ?? '');

/** The jobs worth reporting: a waiter is a line drawn between jobs, not work. */
export const shownJobs = (build: Build): Job[] =>
  (build.jobs ?? []).filter((job) => job.type !== 'waiter');

/**
 * The jobs that every count of a build includes: all types except waiters, and of a retried job only
 * the newest execution.
 */
export const currentExecutions = (build: Build): Execution[] =>
  executions(shownJobs(build)).filter(({ job }) => job.retried !== true);

export const currentJobs = (build: Build): Job[] => currentExecutions(build).map(({ job }) => job);

/** The state as it is shown: `blocked` wherever the build waits for a person. */
export const shownState = (build: Build): string =>
  isBlocked(build) ? 'blocked' : (build.state ?? 'unknown');

const buildMark = (build: Build): string => JSON.stringify([build.state, isBlocked(build)]);

const jobMark = (job: Job): string =>
  JSON.stringify([
    ...[job.state, job.exit_status, job.soft_failed === true],
    ...(job.waiting_for_agents ?? []),
  ]);
