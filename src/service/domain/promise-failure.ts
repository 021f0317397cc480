/** A job says before its end that it is going to fail, so that its build fails from then on. */
import type { SoftFail } from '../pipeline/plan.ts';
import type { Outcome } from '../runner-port.ts';
import { isForgiven } from './exit-status.ts';
import { findJob } from './find-job.ts';
import type { Job, PromisedFailure, Tree } from './records.ts';
import { Refusal } from './refusal.ts';
import { change } from './settle.ts';

/** Throws `Refusal` where the job does not run. A promise that it has given already stays. */
export function promiseFailure(
  tree: Tree,
  jobId: string,
  { exitStatus, reason }: Pick<PromisedFailure, 'exitStatus' | 'reason'>,
  at: number,
): Tree {
  const job = findJob(tree, jobId);
  if (job?.state !== 'running')
    throw new Refusal('invalid', 'Only a running job can promise its failure');
  if (job.promised !== undefined) return tree;
  const step = tree.plan.steps[job.step];
  const softFail = step?.type === 'command' && step.softFail;
  const promised = { exitStatus, reason, isForgiven: isForgiven(softFail, { exitStatus }) };
  return change(tree, { jobs: [{ ...job, promised }] }, at);
}

/** What counts of an end that is no failure, or one that is forgiven where that was not promised. */
export function asPromised(
  { state, promised }: Job,
  reported: Outcome,
  softFail: SoftFail,
): Outcome {
  if (promised === undefined || state === 'canceling' || reported.timedOut) return reported;
  const isKept =
    reported.exitStatus !== 0 && (promised.isForgiven || !isForgiven(softFail, reported));
  return isKept ? reported : { ...reported, exitStatus: promised.exitStatus };
}
