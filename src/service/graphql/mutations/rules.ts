import { notFound } from '../../http/api-error.ts';
import { readNewRule } from '../../http/routes/rules.ts';
import { uuidOf } from '../ids.ts';
import { readJsonInput } from '../json-input.ts';
import { ruleNode } from '../nodes/rule.ts';
import type { GraphqlContext } from '../context.ts';
import { organizationAt } from './locate.ts';

interface NewRuleInput {
  readonly organizationId: string;
  readonly type: string;
  readonly value: unknown;
  readonly description?: string | null;
}

/** `ruleCreate`. */
export function createRule(context: GraphqlContext, input: NewRuleInput): object {
  const { service, caller } = context;
  const organization = organizationAt(context, input.organizationId);
  const { type, description } = input;
  const body = { type, description, value: readJsonInput('value', input.value) };
  const rule = readNewRule(service, organization, body, caller.user?.id ?? null);
  service.store.rules.add(rule);
  return { rule: ruleNode(context, rule) };
}

interface RuleInput {
  readonly organizationId: string;
  readonly id: string;
}

/** `ruleDelete`. */
export function deleteRule(context: GraphqlContext, { organizationId, id }: RuleInput): object {
  const { rules } = context.service.store;
  const organization = organizationAt(context, organizationId);
  const uuid = uuidOf('Rule', id);
  if (!rules.list(organization.id).some((rule) => rule.id === uuid)) throw notFound('rule');
  rules.remove(uuid);
  return { deletedRuleId: id };
}
