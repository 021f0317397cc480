/** Specification, "Rules". */
import type { Core } from '../../core.ts';
import { ruleTypes, type Organization, type Rule } from '../../domain/records.ts';
import { Refusal } from '../../domain/refusal.ts';
import { empty, json } from '../answer.ts';
import { notFound, refused } from '../api-error.ts';
import { findOrganization } from '../lookups.ts';
import { pageOf } from '../pages.ts';
import { presentRule } from '../present/others.ts';
import { route, type Call, type Route } from '../route.ts';
import { objectOf, reader, type Body } from '../validate.ts';

const ofOrganization = '/v2/organizations/:org/rules';
const ofRule = `${ofOrganization}/:uuid` as const;

export const ruleRoutes: readonly Route[] = [
  route('GET', ofOrganization, 'read_rules', (call, core) => {
    const organization = findOrganization(core, call);
    const rules = core.store.notes.rules(organization.id);
    return pageOf(call, rules, (rule) => presentRule(core, organization, rule));
  }),
  route('GET', ofRule, 'read_rules', (call, core) => {
    const organization = findOrganization(core, call);
    return json(presentRule(core, organization, findRule(core, organization, call)));
  }),
  route('POST', ofOrganization, 'write_rules', async (call, core) => {
    const organization = findOrganization(core, call);
    const rule = readRule(core, organization, await call.body(), call.caller.user?.id ?? null);
    core.store.notes.addRule(rule);
    return json(presentRule(core, organization, rule), 201);
  }),
  route('DELETE', ofRule, 'write_rules', (call, core) => {
    const rule = findRule(core, findOrganization(core, call), call);
    core.store.notes.removeRule(rule.id);
    return empty();
  }),
];

function findRule({ store }: Core, { id }: Organization, { params }: Call<'uuid'>): Rule {
  const rule = store.notes.rules(id).find((one) => one.id === params.uuid);
  if (rule === undefined) throw notFound('rule');
  return rule;
}

function readRule(
  core: Core,
  organization: Organization,
  body: unknown,
  createdById: string | null,
): Rule {
  const wanted = objectOf(body);
  const members = reader(wanted);
  const given = members.required('type');
  const value = members.object('value');
  if ((wanted['value'] ?? undefined) === undefined)
    members.fault({ field: 'value', code: 'missing' });
  members.done();
  const type = ruleTypes.find((one) => one === given);
  if (type === undefined) throw refused(`Unknown rule type "${given}" (${ruleTypes.join(', ')})`);
  const end = (name: 'source' | 'target'): string =>
    pipelineId(core, organization, value ?? {}, name);
  const rule: Rule = {
    id: core.newId(),
    organizationId: organization.id,
    type,
    sourceId: end('source'),
    targetId: end('target'),
    createdAt: core.clock.now(),
    createdById,
  };
  refuseTwin(core.store.notes.rules(organization.id), rule);
  return rule;
}

/** `source_pipeline_uuid` (specification), or `source_pipeline` with a UUID or a slug (newer). */
function pipelineId(core: Core, { id }: Organization, value: Body, end: string): string {
  const given = value[`${end}_pipeline_uuid`] ?? value[`${end}_pipeline`];
  if (typeof given !== 'string' || given === '')
    throw refused(`${end}_pipeline_uuid is missing from the value of the rule`);
  const found = core.store.pipelines
    .list(id)
    .find((pipeline) => pipeline.id === given || pipeline.slug === given);
  if (found === undefined)
    throw refused(`The ${end} pipeline ${given} is not in this organization`);
  return found.id;
}

function refuseTwin(rules: readonly Rule[], { type, sourceId, targetId }: Rule): void {
  const same = (rule: Rule): boolean =>
    rule.type === type && rule.sourceId === sourceId && rule.targetId === targetId;
  if (rules.some(same)) throw new Refusal('invalid', 'There is such a rule already');
}
