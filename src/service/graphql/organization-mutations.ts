/** `agentStop`, `agentPause` and `agentResume`. */
import { changeAgent, readPause } from '../http/agents.ts';
import type { GraphqlContext } from './context.ts';
import { findAgent } from './nodes/agents.ts';
import { uuidOf } from './find.ts';
import { agentAt, readJsonInput, organizationAt } from './mutation-input.ts';
import { notFound } from '../http/api-error.ts';
import { readNewRule } from '../http/routes/rules.ts';
import { ruleNode } from './nodes/rule.ts';

interface Input {
  readonly id: string;
}

/** Its job is canceled, unless it is to end gracefully. */
export const stopAgent = (
  context: GraphqlContext,
  { id, graceful }: Input & { readonly graceful?: boolean | null },
): object => change(context, id, 'stop', (agents, uuid) => agents.stop(uuid, graceful !== true));

interface PauseInput extends Input {
  readonly note?: string | null;
  readonly timeoutInMinutes?: number | null;
}

export function pauseAgent(context: GraphqlContext, input: PauseInput): object {
  const { service, caller } = context;
  const { note, minutes } = readPause({
    ...{ note: input.note, timeout_in_minutes: input.timeoutInMinutes },
  });
  const until = service.clock.now() + minutes * 60_000;
  const byId = caller.user?.id ?? null;
  return change(context, input.id, 'pause', (agents, uuid) =>
    agents.pause(uuid, note, until, byId),
  );
}

export const resumeAgent = (context: GraphqlContext, { id }: Input): object =>
  change(context, id, 'resume', (agents, uuid) => agents.resume(uuid));

function change(
  context: GraphqlContext,
  id: string,
  verb: string,
  perform: Parameters<typeof changeAgent>[3],
): object {
  changeAgent(context.service, agentAt(context, id), verb, perform);
  return { agent: () => findAgent(context, uuidOf('Agent', id)) };
}

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
