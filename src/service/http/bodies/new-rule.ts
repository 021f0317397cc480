/** The body of "create a rule" (specification, "Rules"). */
import type { ServiceContext } from '../../service-context.ts';
import { ruleTypes, type Organization, type Rule } from '../../domain/records.ts';
import { Refusal } from '../../domain/refusal.ts';
import { refused } from '../api-error.ts';
import { objectOf, bodyReader, type Body } from '../body-reader.ts';

/**
 * The rule that the body asks for, not yet kept. Throws `ApiError` 422, and `Refusal` where there is
 * such a rule already.
 */
export function readNewRule(
  service: ServiceContext,
  organization: Organization,
  body: unknown,
  createdById: string | null,
): Rule {
  const wanted = objectOf(body);
  const members = bodyReader(wanted);
  const input = members.required('type');
  const value = members.object('value');
  const description = members.text('description');
  if ((wanted['value'] ?? undefined) === undefined)
    members.addError({ field: 'value', code: 'missing' });
  members.done();
  const type = ruleTypes.find((one) => one === input);
  if (type === undefined) throw refused(`Unknown rule type "${input}" (${ruleTypes.join(', ')})`);
  const end = (name: 'source' | 'target'): string =>
    pipelineId(service, organization, value ?? {}, name);
  const rule: Rule = {
    id: service.newId(),
    organizationId: organization.id,
    type,
    sourceId: end('source'),
    targetId: end('target'),
    createdAt: service.clock.now(),
    createdById,
    ...(description && { description }),
  };
  refuseTwin(service.store.rules.list(organization.id), rule);
  return rule;
}

/** `source_pipeline_uuid` (specification), or `source_pipeline` with a UUID or a slug (newer). */
function pipelineId(
  service: ServiceContext,
  { id }: Organization,
  value: Body,
  end: string,
): string {
  const input = value[`${end}_pipeline_uuid`] ?? value[`${end}_pipeline`];
  if (typeof input !== 'string' || input === '')
    throw refused(`${end}_pipeline_uuid is missing from the value of the rule`);
  const found = service.store.pipelines
    .list(id)
    .find((pipeline) => pipeline.id === input || pipeline.slug === input);
  if (found === undefined)
    throw refused(`The ${end} pipeline ${input} is not in this organization`);
  return found.id;
}

function refuseTwin(rules: readonly Rule[], { type, sourceId, targetId }: Rule): void {
  const same = (rule: Rule): boolean =>
    rule.type === type && rule.sourceId === sourceId && rule.targetId === targetId;
  if (rules.some(same)) throw new Refusal('invalid', 'There is such a rule already');
}
