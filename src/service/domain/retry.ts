/** Runs a job again. */
import { findJob, executionsOf } from './find-job.ts';
import type { Job, Tree } from './records.ts';
import { Refusal } from './refusal.ts';
import { change } from './settle.ts';
import type { AutomaticRetry } from '../pipeline/plan.ts';
import { hasStatus } from './job-states.ts';

/**
 * A new job in the place of one that failed, timed out or was canceled, or that passed where its step
 * permits that; what had given up because of it waits again, and the build goes on. Throws `Refusal`.
 */
export function retryJob(tree: Tree, jobId: string, at: number, newId: () => string): Tree {
  const job = findJob(tree, jobId);
  if (job === undefined) throw new Refusal(...notEnded);
  const refusal = retryRefusal(tree, job);
  if (refusal !== undefined) throw new Refusal(...refusal);
  return runAgain(tree, job, 'manual', at, newId());
}

/**
 * Why a person cannot have a job run again; undefined where they can. No error yet: it is asked of
 * each job that is shown, and an error looks at the stack.
 */
export function retryRefusal(tree: Tree, job: Job): RefusedRetry | undefined {
  if (job.type !== 'script' || !hasEnded(tree, job)) return notEnded;
  if (job.retriedInJobId !== null) return ['invalid', 'Jobs can only be retried once'];
  if (['canceled', 'canceling'].includes(tree.build.state))
    return ['invalid', 'Jobs from canceled builds cannot be retried'];
  const manual = manualRules(tree, job);
  if (manual?.allowed === false)
    return ['invalid', manual.reason ?? 'The step of this job allows no manual retries'];
  return undefined;
}

type RefusedRetry = ConstructorParameters<typeof Refusal>;

const notEnded: RefusedRetry = ['wrong', 'Only failed, timed out or canceled jobs can be retried'];

/** The same, by whom it may be; what the job needs may be open again. */
export function runAgain(
  tree: Tree,
  job: Job,
  type: 'manual' | 'automatic',
  at: number,
  id: string,
): Tree {
  const old: Job = { ...job, retriedInJobId: id, retryType: type };
  const next = again(job, { id, type, at, scheduledAt: tree.build.createdAt });
  return change(tree, { retried: { old, next } }, at);
}

/** So that it can run again. */
const hasEnded = (tree: Tree, job: Job): boolean =>
  ['failed', 'timed_out', 'canceled'].includes(job.state) ||
  (job.state === 'passed' && manualRules(tree, job)?.permitOnPassed === true);

function manualRules({ plan }: Tree, job: Job) {
  const step = plan.steps[job.step];
  return step?.type === 'command' ? step.retry.manual : undefined;
}

interface Again {
  readonly id: string;
  readonly type: 'manual' | 'automatic';
  readonly at: number;
  /** Specification, "Timestamps": a job created after its build has the build's time. */
  readonly scheduledAt: number;
}

const again = (job: Job, { id, type, at, scheduledAt }: Again): Job => ({
  ...job,
  id,
  state: 'waiting',
  exitStatus: null,
  signal: null,
  signalReason: null,
  softFailed: false,
  agent: null,
  createdAt: at,
  scheduledAt,
  runnableAt: null,
  startedAt: null,
  finishedAt: null,
  retriesCount: job.retriesCount + 1,
  retryType: null,
  retrySource: { jobId: job.id, type },
});

// The rules by which a step runs again by itself.

/**
 * The rule that retries a job that has ended so: the first that fits, as long as the step was not
 * retried by it as often as it allows. None for what passed or was canceled.
 */
export function automaticRetryOf(tree: Tree, job: Job): AutomaticRetry | undefined {
  const step = tree.plan.steps[job.step];
  if (step?.type !== 'command' || !hasEndedBadly(job)) return undefined;
  const ruleOf = (one: Job): AutomaticRetry | undefined =>
    step.retry.automatic.find((rule) => fits(rule, one));
  const rule = ruleOf(job);
  if (rule === undefined) return undefined;
  const used = executionsOf(tree, job.step).filter(
    (one) => one.retryType === 'automatic' && ruleOf(one) === rule,
  );
  return used.length < rule.limit ? rule : undefined;
}

/** A job that took too long is ended by a cancel as well. */
const hasEndedBadly = ({ state, signalReason }: Job): boolean =>
  state === 'timed_out' || (state === 'failed' && signalReason !== 'cancel');

const fits = (rule: AutomaticRetry, { exitStatus, signal, signalReason }: Job): boolean =>
  fitsStatus(rule.exitStatus, exitStatus ?? -1) &&
  fitsName(rule.signal, signal, shortSignal) &&
  fitsName(rule.signalReason, signalReason, asItIs);

const fitsStatus = (wanted: AutomaticRetry['exitStatus'], status: number): boolean =>
  wanted === '*' || hasStatus(wanted, status);

/** `SIGKILL` -> `kill` */
const shortSignal = (signal: string): string => signal.toLowerCase().replace(/^sig/, '');

const asItIs = (name: string): string => name;

/** Whether one of the names that a rule asks for is that of the job; null asks for nothing. */
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
