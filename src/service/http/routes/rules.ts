/** Specification, "Rules". */
import type { ServiceContext } from '../../service-context.ts';
import type { Organization, Rule } from '../../domain/records.ts';
import { empty, json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { readNewRule } from '../bodies/new-rule.ts';
import { findOrganization } from '../lookups.ts';
import { pageOf } from '../pages.ts';
import { presentRule } from '../present/rule.ts';
import { route, type Call, type Route } from '../route.ts';

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
