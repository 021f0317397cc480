// See "Rules" in the specification.
import type { ServiceContext } from '../../service-context.ts';
import { type Organization, type Rule, ruleTypes } from '../../domain/records.ts';
import { empty, json } from '../response.ts';
import { notFound, refused } from '../api-error.ts';
import { findOrganization } from '../lookups.ts';
import { pageOf } from '../paging.ts';
import { route, type Call, type Route } from '../route.ts';
import { Refusal } from '../../domain/refusal.ts';
import { objectOf, bodyReader, type Body } from '../body-reader.ts';
import { graphqlId, iso } from '../present/scalars.ts';
import { presentUser } from '../present/organization.ts';

const ofOrganization = '/v2/organizations/:org/rules';
const ofRule = `${ofOrganization}/:uuid` as const;

export const ruleRoutes: readonly Route[] = [
  route('GET', ofOrganization, 'read_rules', (call, service) => {
    const organization = findOrganization(service, call);
    const rules = service.store.rules.list(organization.id);
    return pageOf(call, rules, (rule) => presentRule(service, organization, rule));
  }),
  route('GET', ofRule, 'read_rules', (call, service) => {
    const organization = findOrganization(service, call);
    return json(presentRule(service, organization, findRule(service, organization, call)));
  }),
  route('POST', ofOrganization, 'write_rules', async (call, service) => {
    const organization = findOrganization(service, call);
    const rule = readNewRule(
      service,
      organization,
      await call.body(),
      call.caller.user?.id ?? null,
    );
    service.store.rules.add(rule);
    return json(presentRule(service, organization, rule), 201);
  }),
  route('DELETE', ofRule, 'write_rules', (call, service) => {
    const rule = findRule(service, findOrganization(service, call), call);
    service.store.rules.remove(rule.id);
    return empty();
  }),
];

function findRule({ store }: ServiceContext, { id }: Organization, { params }: Call<'uuid'>): Rule {
  const rule = store.rules.list(id).find((one) => one.id === params.uuid);
  if (rule === undefined) throw notFound('rule');
  return rule;
}

export function readNewRule(
  service: ServiceContext,
  organization: Organization,
  body: unknown,
  createdById: string | null,
): Rule {
  const members = bodyReader(body);
  const input = members.required('type');
  const value = members.object('value');
  const description = members.text('description');
  if ((objectOf(body)['value'] ?? undefined) === undefined)
    members.reject('value', undefined, 'missing');
  members.done();
  const type = ruleTypes.find((one) => one === input);
  if (type === undefined) throw refused(`Unknown rule type "${input}" (${ruleTypes.join(', ')})`);
  const organizationId = organization.id;
  const sourceId = pipelineId(service, organizationId, value ?? {}, 'source');
  const targetId = pipelineId(service, organizationId, value ?? {}, 'target');
  const isTwin = (rule: Rule): boolean =>
    rule.type === type && rule.sourceId === sourceId && rule.targetId === targetId;
  if (service.store.rules.list(organizationId).some(isTwin))
    throw new Refusal('invalid', 'This rule already exists');
  return {
    ...{ id: service.newId(), organizationId, type, sourceId, targetId },
    ...{ createdAt: service.clock.now(), createdById, ...(description && { description }) },
  };
}

/** `source_pipeline_uuid` (specification), or the newer `source_pipeline` (a UUID or a slug). */
function pipelineId(
  { store }: ServiceContext,
  organizationId: string,
  value: Body,
  end: 'source' | 'target',
): string {
  const input = value[`${end}_pipeline_uuid`] ?? value[`${end}_pipeline`];
  if (typeof input !== 'string' || input === '')
    throw refused(`${end}_pipeline_uuid is missing from the value of the rule`);
  const found = store.pipelines
    .list(organizationId)
    .find((pipeline) => pipeline.id === input || pipeline.slug === input);
  if (found === undefined)
    throw refused(`The ${end} pipeline ${input} does not exist in this organization`);
  return found.id;
}

/** See "Rule" in the specification. A type has the form `SOURCE.ACTION.TARGET`. */
function presentRule(service: ServiceContext, { slug }: Organization, rule: Rule): object {
  const { store, urls } = service;
  const [sourceType, action, targetType] = rule.type.split('.');
  const by = rule.createdById === null ? undefined : store.accounts.user(rule.createdById);
  return {
    uuid: rule.id,
    graphql_id: graphqlId('Rule', rule.id),
    organization_uuid: rule.organizationId,
    url: urls.rule(slug, rule.id),
    type: rule.type,
    source_type: sourceType,
    source_uuid: rule.sourceId,
    target_type: targetType,
    target_uuid: rule.targetId,
    effect: 'allow',
    action,
    created_at: iso(rule.createdAt),
    created_by: by === undefined ? null : presentUser(service, by),
  };
}
