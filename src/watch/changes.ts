import type { Build } from '../api/resources/build.ts';
import { executions, type Execution, type Job } from '../api/resources/job.ts';
import { instant } from '../render/time.ts';
import { isBlocked, isSettled } from './outcome.ts';

/** The events of a watch, in the order in which they occur. */
export type Event =
  | { readonly event: 'build'; readonly build: Build }
  | { readonly event: 'job'; readonly build: Build; readonly job: Job }
  | { readonly event: 'wait'; readonly build?: Build; readonly reason: string }
  | { readonly event: 'end'; readonly build?: Build; readonly exitCode: number };

/** For the first state, returns events for the build and all jobs. A settled build comes last. */
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
    // Large builds are polled often, and unchanged jobs are often the same object.
    return old !== job && (old === undefined || jobMark(old) !== jobMark(job));
  });
  return inOrder(changed).map((job) => ({ event: 'job', build: now, job }));
}

/** Finished jobs come first, in the order in which they finished. */
function inOrder(jobs: readonly Job[]): Job[] {
  const ended = jobs.filter((job) => endOf(job) !== undefined);
  const others = jobs.filter((job) => endOf(job) === undefined);
  return [...ended.sort((a, b) => (endOf(a) ?? 0) - (endOf(b) ?? 0)), ...others];
}

const endOf = ({ finished_at }: Job): number | undefined => instant(finished_at ?? '');

/** Excludes wait steps, which only separate jobs. */
export const shownJobs = (build: Build): Job[] =>
  (build.jobs ?? []).filter((job) => job.type !== 'waiter');

/** The jobs that are counted: only the newest execution of a retried job, and no wait steps. */
export const currentExecutions = (build: Build): Execution[] =>
  executions(shownJobs(build)).filter(({ job }) => job.retried !== true);

export const currentJobs = (build: Build): Job[] => currentExecutions(build).map(({ job }) => job);

/** The state to display. `blocked` if the build waits for manual approval. */
export const shownState = (build: Build): string =>
  isBlocked(build) ? 'blocked' : (build.state ?? 'unknown');

const buildMark = (build: Build): string => JSON.stringify([build.state, isBlocked(build)]);

const jobMark = (job: Job): string =>
  JSON.stringify([
    ...[job.state, job.exit_status, job.soft_failed === true],
    ...(job.waiting_for_agents ?? []),
  ]);
