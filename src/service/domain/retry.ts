import { findJob, executionsOf } from './find-job.ts';
import type { Job, Tree } from './records.ts';
import { Refusal } from './refusal.ts';
import { change } from './settle.ts';
import type { AutomaticRetry } from '../pipeline/plan.ts';
import { hasStatus } from './job-states.ts';

/**
 * Retries a finished job: adds a new job after it, and resets the jobs that failed because of it.
 * Throws `Refusal`.
 */
export function retryJob(tree: Tree, jobId: string, at: number, newId: () => string): Tree {
  const job = findJob(tree, jobId);
  if (job === undefined) throw new Refusal(...notEnded);
  const refusal = retryRefusal(tree, job);
  if (refusal !== undefined) throw new Refusal(...refusal);
  return runAgain(tree, job, 'manual', at, newId());
}

type RefusedRetry = ConstructorParameters<typeof Refusal>;

const notEnded: RefusedRetry = ['wrong', 'Only failed, timed out or canceled jobs can be retried'];

/**
 * Returns why a job cannot be retried manually, or undefined if it can. Does not throw the reason,
 * because the function is called for every job in a response and stack traces are expensive.
 */
export function retryRefusal(tree: Tree, job: Job): RefusedRetry | undefined {
  const step = tree.plan.steps[job.step];
  const manual = step?.type === 'command' ? step.retry.manual : undefined;
  const hasEnded =
    ['failed', 'timed_out', 'canceled'].includes(job.state) ||
    (job.state === 'passed' && manual?.permitOnPassed === true);
  if (job.type !== 'script' || !hasEnded) return notEnded;
  if (job.retriedInJobId !== null) return ['invalid', 'Jobs can only be retried once'];
  if (['canceled', 'canceling'].includes(tree.build.state))
    return ['invalid', 'Jobs from canceled builds cannot be retried'];
  if (manual?.allowed === false)
    return ['invalid', manual.reason ?? 'This step does not allow manual retries'];
  return undefined;
}

/** Adds a new attempt of a finished job. The caller must check that a retry is allowed. */
export function runAgain(
  tree: Tree,
  job: Job,
  type: 'manual' | 'automatic',
  at: number,
  id: string,
): Tree {
  const old: Job = { ...job, retriedInJobId: id, retryType: type };
  const next: Job = {
    ...job,
    id,
    state: 'waiting',
    exitStatus: null,
    signal: null,
    signalReason: null,
    softFailed: false,
    agent: null,
    createdAt: at,
    // The build's creation time, even for jobs created later (specification, "Timestamps").
    scheduledAt: tree.build.createdAt,
    runnableAt: null,
    startedAt: null,
    finishedAt: null,
    retriesCount: job.retriesCount + 1,
    retryType: null,
    retrySource: { jobId: job.id, type },
  };
  return change(tree, { retried: { old, next } }, at);
}

/** Whether the first retry rule that matches the failed job has retries left. */
export function retriesAutomatically(tree: Tree, job: Job): boolean {
  const step = tree.plan.steps[job.step];
  const { state, signalReason } = job;
  // Timed-out jobs also have the signal reason `cancel`.
  const hasFailed = state === 'timed_out' || (state === 'failed' && signalReason !== 'cancel');
  if (step?.type !== 'command' || !hasFailed) return false;
  const ruleOf = (one: Job): AutomaticRetry | undefined =>
    step.retry.automatic.find((rule) => fits(rule, one));
  const rule = ruleOf(job);
  if (rule === undefined) return false;
  const used = executionsOf(tree, job.step).filter(
    (one) => one.retryType === 'automatic' && ruleOf(one) === rule,
  );
  return used.length < rule.limit;
}

const fits = (rule: AutomaticRetry, { exitStatus, signal, signalReason }: Job): boolean =>
  (rule.exitStatus === '*' || hasStatus(rule.exitStatus, exitStatus ?? -1)) &&
  fitsName(rule.signal, signal, shortSignal) &&
  fitsName(rule.signalReason, signalReason, (name) => name);

/** Converts `SIGKILL` to `kill`. */
const shortSignal = (signal: string): string => signal.toLowerCase().replace(/^sig/, '');

/** Whether the name matches the rule. A null rule matches everything. */
function fitsName(
  wanted: string | readonly string[] | null,
  name: string | null,
  shorten: (name: string) => string,
): boolean {
  if (wanted === null) return true;
  return [wanted].flat().some((one) => {
    if (one === '*') return true;
    return one === 'none' ? name === null : name !== null && shorten(one) === shorten(name);
  });
}
