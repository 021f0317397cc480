import type { Build } from '../api/resources/build.ts';
import type { Execution } from '../api/resources/job.ts';
import { currentExecutions } from '../watch/changes.ts';
import type { Counts } from './report-resource.ts';

/** What a job means for its build. */
type Class = Exclude<keyof Counts, 'jobs'>;

export interface Sorted {
  /** What went wrong by itself: first what failed the build, then soft failures. */
  readonly failures: readonly Execution[];
  /** What did not run, or not to its end, because of something else. */
  readonly followed: readonly Execution[];
  /** What failed first and passed on a retry. */
  readonly recovered: readonly Execution[];
  readonly counts: Counts;
}

/** Parts the jobs of a build into causes and consequences; each job counts once. */
export function sortJobs(build: Build): Sorted {
  const all = currentExecutions(build);
  const hasFailed = all.some((execution) => classOf(execution) === 'failed');
  const isStopped = hasFailed || build.state === 'canceled' || build.state === 'canceling';
  const sorted = new Map(all.map((one) => [one, classOf(one, isStopped)]));
  const of = (wanted: Class): Execution[] => all.filter((one) => sorted.get(one) === wanted);
  return {
    failures: [...of('failed'), ...of('soft_failed')],
    followed: of('followed'),
    recovered: of('passed').filter(({ earlier }) => earlier.length > 0),
    counts: {
      jobs: all.length,
      passed: of('passed').length,
      failed: of('failed').length,
      soft_failed: of('soft_failed').length,
      followed: of('followed').length,
      blocked: of('blocked').length,
      skipped: of('skipped').length,
      unfinished: of('unfinished').length,
    },
  };
}

/**
 * A job that was canceled with its build, or after another job had failed, merely followed. One
 * that was canceled alone is why the build did not pass. States unknown here are not finished.
 */
function classOf({ job }: Execution, isStopped = true): Class {
  const state = job.state ?? '';
  if (state === 'canceled') return isStopped ? 'followed' : 'failed';
  const found = classes.get(state) ?? 'unfinished';
  return found === 'failed' && job.soft_failed === true ? 'soft_failed' : found;
}

const classes = new Map<string, Class>([
  ['passed', 'passed'],
  ['unblocked', 'passed'],
  ['failed', 'failed'],
  ['timed_out', 'failed'],
  ['expired', 'failed'],
  ['broken', 'followed'],
  ['waiting_failed', 'followed'],
  ['blocked_failed', 'followed'],
  ['unblocked_failed', 'followed'],
  ['blocked', 'blocked'],
  ['skipped', 'skipped'],
]);
