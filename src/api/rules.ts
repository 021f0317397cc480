import { type RestClient, asItCame, identified } from './rest-client.ts';
import { rule as resource, type Rule } from './resources/rule.ts';
import type { Call } from './call.ts';

interface NewRule {
  readonly type: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export const rules = (rest: RestClient) => ({
  list: (org: string): AsyncIterable<Rule> =>
    rest.pages<Rule>({
      ...{ ...on(org, 'read_rules'), method: 'GET', query: { per_page: 100 } },
      action: `list the rules in ${org}`,
    }),
  get: (org: string, uuid: string) =>
    rest.one<Rule>(
      { ...on(org, 'read_rules', uuid), method: 'GET', action: `view rule ${uuid}` },
      asItCame,
    ),
  create: (org: string, body: NewRule) =>
    rest.one<Rule>(
      { ...on(org, 'write_rules'), method: 'POST', body, action: `create a rule in ${org}` },
      identified(resource),
    ),
  delete: (org: string, uuid: string) =>
    rest.none({ ...on(org, 'write_rules', uuid), method: 'DELETE', action: `delete rule ${uuid}` }),
});

const on = (org: string, scope: string, rule?: string): Omit<Call, 'method' | 'action'> => ({
  path: ['v2', 'organizations', org, 'rules', ...(rule === undefined ? [] : [rule])],
  scope,
  subject: rule === undefined ? { org } : { org, rule },
});
