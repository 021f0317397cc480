import type { RestClient } from './rest-client.ts';
import type { Emoji } from './resources/emoji.ts';
import type { Organization } from './resources/organization.ts';
import { asItCame } from './validate.ts';

export interface Organizations {
  list(): AsyncIterable<Organization>;
  get(org: string): Promise<Organization>;
}

export interface Emojis {
  /** Standard and custom ones, in one piece (Specification, "Emojis"). */
  list(org: string): Promise<Emoji[]>;
}

export const organizations = (caller: RestClient): Organizations => ({
  list: () =>
    caller.pages<Organization>({
      method: 'GET',
      path: ['v2', 'organizations'],
      query: { per_page: 100 },
      doing: 'list organizations',
      scope: 'read_organizations',
    }),
  get: (org) =>
    caller.one<Organization>(
      {
        method: 'GET',
        path: ['v2', 'organizations', org],
        doing: `view organization ${org}`,
        scope: 'read_organizations',
        subject: { org },
      },
      asItCame,
    ),
});

export const emojis = (caller: RestClient): Emojis => ({
  list: (org) =>
    caller.many<Emoji>({
      method: 'GET',
      path: ['v2', 'organizations', org, 'emojis'],
      doing: `list the emojis of ${org}`,
      subject: { org },
    }),
});
