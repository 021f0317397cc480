import { type RestClient, asItCame, identified } from './rest-client.ts';
import { rule as resource, type Rule } from './resources/rule.ts';
import type { Call } from './call.ts';

/** Body of "create" (Specification, "Rules"); the members of `value` depend on the type. */
export interface NewRule {
  readonly type: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface Rules {
  list(org: string): AsyncIterable<Rule>;
  get(org: string, uuid: string): Promise<Rule>;
  create(org: string, body: NewRule): Promise<Rule>;
  delete(org: string, uuid: string): Promise<void>;
}

export const rules = (rest: RestClient): Rules => ({
  list: (org) =>
    rest.pages<Rule>({
      ...of(org, 'read_rules'),
      method: 'GET',
      query: { per_page: 100 },
      action: `list the rules of ${org}`,
    }),
  get: (org, uuid) =>
    rest.one<Rule>(
      { ...at(org, uuid, 'read_rules'), method: 'GET', action: `view rule ${uuid}` },
      asItCame,
    ),
  create: (org, body) =>
    rest.one<Rule>(
      {
        ...of(org, 'write_rules'),
        method: 'POST',
        body,
        action: `create a rule of ${org}`,
      },
      identified(resource),
    ),
  delete: (org, rule) =>
    rest.none({
      ...at(org, rule, 'write_rules'),
      method: 'DELETE',
      action: `delete rule ${rule}`,
    }),
});

type RulePath = Pick<Call, 'path' | 'scope' | 'subject'>;

const of = (org: string, scope: string): RulePath => ({
  path: ['v2', 'organizations', org, 'rules'],
  scope,
  subject: { org },
});

const at = (org: string, rule: string, scope: string): RulePath => ({
  path: ['v2', 'organizations', org, 'rules', rule],
  scope,
  subject: { org, rule },
});
