/** A job that waited for its turn in a concurrency group; who is next, the store says. */
import { findJob } from './find-job.ts';
import type { Tree } from './records.ts';
import { change } from './settle.ts';

/** A limited job has got its place. Returns the tree itself where it is not limited any more. */
export function admitJob(tree: Tree, jobId: string, at: number): Tree {
  const job = findJob(tree, jobId);
  if (job?.state !== 'limited') return tree;
  return change(tree, { jobs: [{ ...job, state: 'scheduled', runnableAt: at }] }, at);
}
