import { jobsNow } from './job-list.ts';
import type { Job, Tree } from './records.ts';
import { scheduleOf } from './schedule.ts';
import { lastOfStep } from './settle.ts';

/** Finds a job in the tree by its ID without searching all jobs. */
export function findJob(tree: Tree, id: string): Job | undefined {
  const { stepOf, current } = scheduleOf(tree);
  const step = stepOf.get(id);
  if (step === undefined) return undefined;
  const newest = current[step];
  return newest?.id === id ? newest : executionsOf(tree, step).find((job) => job.id === id);
}

export function executionsOf(tree: Tree, step: number): Job[] {
  const jobs = jobsNow(tree);
  const executions: Job[] = [];
  for (let position = lastOfStep(jobs, step); position >= 0; position--) {
    const job = jobs[position];
    if (job?.step !== step) break;
    executions.push(job);
  }
  return executions;
}
