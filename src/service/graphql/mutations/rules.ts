import { notFound } from '../../http/api-error.ts';
import { readRule } from '../../http/bodies/new-rule.ts';
import { uuidOf } from '../ids.ts';
import { readJson } from '../json-input.ts';
import { ruleNode } from '../nodes/rule.ts';
import type { GraphqlContext } from '../context.ts';
import { organizationAt } from './places.ts';

interface NewRuleInput {
  readonly organizationId: string;
  readonly type: string;
  readonly value: unknown;
  readonly description?: string | null;
}

/** `ruleCreate`. */
export function createRule(viewpoint: GraphqlContext, input: NewRuleInput): object {
  const { core, caller } = viewpoint;
  const organization = organizationAt(viewpoint, input.organizationId);
  const { type, description } = input;
  const body = { type, description, value: readJson('value', input.value) };
  const rule = readRule(core, organization, body, caller.user?.id ?? null);
  core.store.notes.addRule(rule);
  return { rule: ruleNode(viewpoint, rule) };
}

interface RuleInput {
  readonly organizationId: string;
  readonly id: string;
}

/** `ruleDelete`. */
export function deleteRule(viewpoint: GraphqlContext, { organizationId, id }: RuleInput): object {
  const { notes } = viewpoint.core.store;
  const organization = organizationAt(viewpoint, organizationId);
  const uuid = uuidOf('Rule', id);
  if (!notes.rules(organization.id).some((rule) => rule.id === uuid)) throw notFound('rule');
  notes.removeRule(uuid);
  return { deletedRuleId: id };
}
