/** The rules by which a step runs again by itself. */
import type { AutomaticRetry } from '../pipeline/plan.ts';
import { hasStatus } from './exit-status.ts';
import { executionsOf } from './find-job.ts';
import type { Job, Tree } from './records.ts';

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
