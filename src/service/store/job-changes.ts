/** What differs between the jobs of two states of one build. */
import type { Job } from '../domain/records.ts';

export interface JobChange {
  /** Undefined where the job is new. */
  readonly before: Job | undefined;
  readonly after: Job;
}

export interface JobChanges {
  readonly changed: readonly JobChange[];
  readonly removed: readonly Job[];
}

/**
 * Compares by identity: a job that is another object has changed. Looks at each job once, and at
 * nothing of what it holds where it is the same.
 */
export function jobChanges(before: readonly Job[], after: readonly Job[]): JobChanges {
  if (before === after) return { changed: [], removed: [] };
  return afterInsertions(before, after) ?? anyChanges(before, after);
}

/** Undefined where jobs are gone, or stand in another order. */
function afterInsertions(before: readonly Job[], after: readonly Job[]): JobChanges | undefined {
  const changed: JobChange[] = [];
  let position = 0;
  for (const job of after) {
    const old = before[position];
    const isOld = old?.id === job.id;
    if (isOld) position++;
    if (old !== job) changed.push({ before: isOld ? old : undefined, after: job });
  }
  return position === before.length ? { changed, removed: [] } : undefined;
}

function anyChanges(before: readonly Job[], after: readonly Job[]): JobChanges {
  const old = new Map(before.map((job) => [job.id, job]));
  const changed = after
    .filter((job) => old.get(job.id) !== job)
    .map((job) => ({ before: old.get(job.id), after: job }));
  const ids = new Set(after.map(({ id }) => id));
  return { changed, removed: before.filter(({ id }) => !ids.has(id)) };
}
