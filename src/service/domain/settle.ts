import { endedByCancel, hasFollowed, endTime } from './job-states.ts';
import { jobsNow, withPlacedJobs, withSameJobs, type Placed } from './job-list.ts';
import type { Build, Job, JobState, Tree } from './records.ts';
import { giveSchedule, put, takeSchedule, type Schedule } from './schedule.ts';
import type { Plan } from '../pipeline/plan.ts';

interface Changes {
  readonly build?: Build;
  /** New states of jobs, which must be the latest attempts of their steps. */
  readonly jobs?: readonly Job[];
  readonly retried?: { readonly old: Job; readonly next: Job };
}

export const settle = (tree: Tree, at: number): Tree => change(tree, {}, at);

/**
 * Applies changes and determines their consequences: jobs that can run now, jobs that can never
 * run, and the build's new state. Every transition calls this function last. Reuses unchanged
 * objects.
 */
export function change(tree: Tree, changes: Changes, at: number): Tree {
  const schedule = takeSchedule(tree);
  const build = changes.build ?? tree.build;
  for (const job of changes.jobs ?? []) put(schedule, tree, job);
  if (changes.retried !== undefined) put(schedule, tree, changes.retried.next);
  if (!isOver(build)) draw(schedule, tree, at);
  const members = { build: settleBuild(build, tree.plan, schedule, at), plan: tree.plan };
  const after = writeJobs(tree, members, schedule, changes.retried);
  giveSchedule(after, schedule);
  return after;
}

const isOver = ({ state }: Build): boolean =>
  state === 'canceling' || state === 'canceled' || state === 'skipped';

function draw(schedule: Schedule, tree: Tree, at: number): void {
  moveQueued(schedule, tree, at);
  if (schedule.counts.failed === 0) return;
  for (const step of [...schedule.counts.cancelable]) {
    const job = schedule.current[step];
    if (job !== undefined) put(schedule, tree, endedByCancel(job, at));
  }
  moveQueued(schedule, tree, at);
}

/** The queue may grow during the loop, because a `wait` that passes lets other steps run. */
function moveQueued(schedule: Schedule, tree: Tree, at: number): void {
  const { queue } = schedule;
  for (let index = 0; index < queue.length; index++) {
    const job = schedule.current[queue[index] ?? -1];
    schedule.touched++;
    if (job === undefined || (job.state !== 'waiting' && !hasFollowed(job))) continue;
    const state = nextState(schedule, tree, job);
    if (state !== job.state) put(schedule, tree, move(job, state, at));
  }
  queue.length = 0;
}

function nextState(schedule: Schedule, tree: Tree, job: Job): JobState {
  if ((schedule.badFor[job.step] ?? 0) > 0)
    return job.type === 'manual' ? 'blocked_failed' : 'waiting_failed';
  return (schedule.openFor[job.step] ?? 0) > 0 ? 'waiting' : reached(tree, job);
}

function reached({ plan }: Tree, job: Job): JobState {
  if (job.type === 'manual') return 'blocked';
  if (job.type === 'waiter') return 'passed';
  const step = plan.steps[job.step];
  return step?.type === 'command' && step.concurrency !== null ? 'limited' : 'scheduled';
}

const isReady: ReadonlySet<JobState> = new Set(['blocked', 'passed', 'scheduled']);

const move = (job: Job, state: JobState, at: number): Job => ({
  ...job,
  state,
  runnableAt: isReady.has(state) ? at : null,
  finishedAt: state === 'passed' ? at : null,
});

function writeJobs(
  tree: Tree,
  members: Omit<Tree, 'jobs'>,
  { changed, current }: Pick<Schedule, 'changed' | 'current'>,
  retried: Changes['retried'],
): Tree {
  if (changed.size === 0) return withSameJobs(tree, members);
  const jobs = jobsNow(tree);
  const again = retried === undefined ? Infinity : lastOfStep(jobs, retried.old.step);
  const placed: Placed[] = retried === undefined ? [] : [{ position: again, job: retried.old }];
  for (const step of changed) {
    const job = current[step];
    const position = lastOfStep(jobs, step);
    if (job === undefined) continue;
    if (position === again) placed.splice(1, 0, { position: again + 1, job, isNew: true });
    else placed.push({ position: position > again ? position + 1 : position, job });
  }
  return withPlacedJobs(tree, members, placed);
}

/** Position of a step's latest attempt. Uses binary search, because jobs are in step order. */
export function lastOfStep(jobs: Tree['jobs'], step: number): number {
  let low = step;
  let high = jobs.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((jobs[middle]?.step ?? 0) <= step) low = middle;
    else high = middle - 1;
  }
  return low;
}

type Standing = Pick<Build, 'state' | 'blocked' | 'blockedState'>;

function settleBuild(build: Build, plan: Plan, schedule: Schedule, at: number): Build {
  const next = standing(build, plan, schedule);
  const same =
    next.state === build.state &&
    next.blocked === build.blocked &&
    next.blockedState === build.blockedState;
  if (same) return build;
  return { ...build, ...next, finishedAt: isSettled(next) ? endTime(build, at) : null };
}

/** A blocked build counts as finished (specification, "Timestamps"). */
const isSettled = ({ state, blocked }: Pick<Build, 'state' | 'blocked'>): boolean =>
  blocked || !['scheduled', 'running', 'failing', 'canceling'].includes(state);

const free = { blocked: false, blockedState: '' } as const;

function standing({ state }: Build, plan: Plan, { counts, current }: Schedule): Standing {
  if (state === 'skipped' || state === 'canceled') return { ...free, state };
  if (state === 'canceling') return { ...free, state: counts.active > 0 ? state : 'canceled' };
  const failed = counts.hard > 0;
  if (counts.active > 0)
    return { ...free, state: failed ? 'failing' : counts.hasStarted ? 'running' : 'scheduled' };
  if (counts.blocked.size > 0) return whileBlocked(plan, counts.blocked, failed);
  // The state is `not_run` if all steps except `wait` steps are omitted.
  if (counts.omitted > 0 && counts.omitted + counts.waiters >= current.length)
    return { ...free, state: 'not_run' };
  return { ...free, state: failed ? 'failed' : 'passed' };
}

/** The first blocked step determines the state of the build. */
function whileBlocked(plan: Plan, blocked: ReadonlySet<number>, failed: boolean): Standing {
  const first = [...blocked].reduce((least, step) => Math.min(least, step));
  const step = plan.steps[first];
  const blockedState = step !== undefined && 'blockedState' in step ? step.blockedState : 'passed';
  return { state: failed ? 'failed' : blockedState, blocked: true, blockedState };
}
