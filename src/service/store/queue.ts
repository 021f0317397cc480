import type { Job } from '../domain/records.ts';
import type { Step } from '../pipeline/plan.ts';

/** The rule that names the queue of a job, `queue=default` where none does; empty where no agent takes it. */
export function queueOf({ type }: Pick<Job, 'type'>, step: Step | undefined): string {
  if (type !== 'script') return '';
  const rules = step?.type === 'command' ? step.agentQueryRules : [];
  return rules.find((rule) => rule.startsWith('queue=')) ?? 'queue=default';
}
