/** Specification, "Rules". */
import type { ServiceContext } from '../../service-context.ts';
import type { Organization, Rule } from '../../domain/records.ts';
import { empty, json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { readRule } from '../bodies/new-rule.ts';
import { findOrganization } from '../lookups.ts';
import { pageOf } from '../pages.ts';
import { presentRule } from '../present/others.ts';
import { route, type Call, type Route } from '../route.ts';

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

function findRule({ store }: ServiceContext, { id }: Organization, { params }: Call<'uuid'>): Rule {
  const rule = store.notes.rules(id).find((one) => one.id === params.uuid);
  if (rule === undefined) throw notFound('rule');
  return rule;
}
