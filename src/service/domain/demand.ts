/**
 * What an agent has to be for a job, as one text: the organization, who may run it, and the rules of
 * its step. Jobs that ask for the same have the same text, and are found by it.
 */
import type { Step } from '../pipeline/plan.ts';
import type { Build, Job } from './records.ts';

export interface Demand {
  readonly organizationId: string;
  readonly runsOn: 'any' | 'slots' | 'agents';
  /** `key=value`, each a tag that the agent must have; the value may hold `*`. */
  readonly rules: readonly string[];
}

/** Empty for what no agent takes. */
export function demandOf(
  { organizationId, options }: Pick<Build, 'organizationId' | 'options'>,
  { type }: Pick<Job, 'type'>,
  step: Step | undefined,
): string {
  if (type !== 'script') return '';
  const rules = rulesOf(step).toSorted();
  return `${organizationId} ${options.runsOn ?? 'any'} ${JSON.stringify(rules)}`;
}

/** The rules of a step, `queue=default` among them where it names no queue. */
export function rulesOf(step: Step | undefined): readonly string[] {
  const rules = step?.type === 'command' ? step.agentQueryRules : [];
  return rules.some((rule) => rule.startsWith('queue=')) ? rules : ['queue=default', ...rules];
}

export function readDemand(text: string): Demand {
  const [organizationId = '', runsOn = 'any'] = text.split(' ', 2);
  const rules = JSON.parse(text.slice(organizationId.length + runsOn.length + 2)) as string[];
  return { organizationId, runsOn: runsOn as Demand['runsOn'], rules };
}

/** Whether an agent with these tags meets every rule. */
export const meets = (tags: readonly string[], rules: readonly string[]): boolean =>
  rules.every((rule) => tags.some((tag) => meetsRule(tag, rule)));

/** `*` stands for any text within the value; a tag without a value counts as `true`. */
function meetsRule(tag: string, rule: string): boolean {
  const [key, value] = parts(tag);
  const [wantedKey, wanted] = parts(rule);
  if (key !== wantedKey) return false;
  if (!wanted.includes('*')) return value === wanted;
  const [first = '', ...rest] = wanted.split('*');
  const last = rest.pop() ?? '';
  if (!value.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = value.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return value.length - last.length >= from && value.endsWith(last);
}

function parts(text: string): readonly [key: string, value: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, 'true'] : [text.slice(0, at), text.slice(at + 1)];
}
