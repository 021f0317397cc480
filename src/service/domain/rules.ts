/** Whether one pipeline may act on another (specification, "Rule"). */
import type { Pipeline, Rule, RuleType } from './records.ts';

/** An unrestricted pipeline is open to all of its organization, a restricted one to itself and by rule. */
export function rulesPermit(
  rules: readonly Pick<Rule, 'type' | 'sourceId' | 'targetId'>[],
  type: RuleType,
  source: Pick<Pipeline, 'id' | 'organizationId'>,
  target: Pick<Pipeline, 'id' | 'organizationId' | 'restricted'>,
): boolean {
  if (source.id === target.id) return true;
  if (source.organizationId !== target.organizationId) return false;
  if (!target.restricted) return true;
  return rules.some(
    (rule) => rule.type === type && rule.sourceId === source.id && rule.targetId === target.id,
  );
}
