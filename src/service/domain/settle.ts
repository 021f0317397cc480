/**
 * Draws the consequences of a change: which jobs may run now, which never will, and what that
 * makes of the build. Every transition ends with it.
 */
import { hasFollowed, isActive, isCurrent, isDone, isFine, isHardFailure } from './job-states.ts';
import { needsOf } from './needs.ts';
import type { Build, Job, JobState, Tree } from './records.ts';

/** The tree after all that follows at `at`; the same objects where nothing changed. */
export function settle(tree: Tree, at: number): Tree {
  const settled = settleJobs(tree, at);
  return { ...settled, build: settleBuild(settled, at) };
}

function settleJobs(tree: Tree, at: number): Tree {
  if (tree.build.state === 'canceling' || tree.build.state === 'canceled') return tree;
  let { jobs } = tree;
  for (const job of tree.jobs) {
    if (job.state !== 'waiting') continue;
    const next = nextState(tree, jobs, job);
    if (next !== job.state) jobs = replace(jobs, move(job, next, at));
  }
  // A step may need one that stands after it, so that one pass is not always enough.
  return jobs === tree.jobs ? tree : settleJobs({ ...tree, jobs }, at);
}

function nextState(tree: Tree, jobs: readonly Job[], job: Job): JobState {
  let ready = true;
  for (const need of needsOf(tree.plan.steps, job.step)) {
    const before = jobs.filter((other) => other.step === need.step && isCurrent(other));
    if (!before.every(isDone)) ready = false;
    else if (!need.allowFailure && !before.every(isFine)) return unreachable(job);
  }
  return ready ? reached(job) : job.state;
}

const unreachable = (job: Job): JobState =>
  job.type === 'manual' ? 'blocked_failed' : 'waiting_failed';

function reached(job: Job): JobState {
  if (job.type === 'manual') return 'blocked';
  return job.type === 'waiter' ? 'passed' : 'scheduled';
}

const move = (job: Job, state: JobState, at: number): Job => ({
  ...job,
  state,
  runnableAt: hasFollowed({ ...job, state }) ? null : at,
  finishedAt: state === 'passed' ? at : null,
});

export const replace = (jobs: readonly Job[], changed: Job): readonly Job[] =>
  jobs.map((job) => (job.id === changed.id ? changed : job));

type Standing = Pick<Build, 'state' | 'blocked' | 'blockedState'>;

function settleBuild(tree: Tree, at: number): Build {
  const { build } = tree;
  const next = standing(tree);
  const same =
    next.state === build.state &&
    next.blocked === build.blocked &&
    next.blockedState === build.blockedState;
  if (same) return build;
  return { ...build, ...next, finishedAt: isSettled(next) ? at : null };
}

/** Specification, "Timestamps": a build that waits for a person counts as finished. */
const isSettled = ({ state, blocked }: Pick<Build, 'state' | 'blocked'>): boolean =>
  blocked || !['scheduled', 'running', 'failing', 'canceling'].includes(state);

function standing({ build, plan, jobs }: Tree): Standing {
  const free = { blocked: false, blockedState: '' } as const;
  if (build.state === 'skipped' || build.state === 'canceled')
    return { ...free, state: build.state };
  const current = jobs.filter(isCurrent);
  const active = current.some(isActive);
  if (build.state === 'canceling') return { ...free, state: active ? 'canceling' : 'canceled' };
  const failed = current.some(isHardFailure);
  if (active) return { ...free, state: whileActive(jobs, failed) };
  const manual = current.find((job) => job.state === 'blocked');
  if (manual !== undefined) {
    const step = plan.steps[manual.step];
    const blockedState = step?.type === 'block' ? step.blockedState : 'passed';
    return { state: failed ? 'failed' : blockedState, blocked: true, blockedState };
  }
  if (current.every((job) => job.state === 'skipped')) return { ...free, state: 'not_run' };
  return { ...free, state: failed ? 'failed' : 'passed' };
}

function whileActive(jobs: readonly Job[], failed: boolean): Build['state'] {
  if (failed) return 'failing';
  return jobs.some((job) => job.startedAt !== null) ? 'running' : 'scheduled';
}
