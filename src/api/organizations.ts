import type { Pages } from './pages.ts';
import { type RestClient, asItCame } from './rest-client.ts';
import type { Emoji } from './resources/emoji.ts';
import type { Organization } from './resources/organization.ts';

export interface Organizations {
  /** `signal` ends the requests; its reason is thrown. */
  list(signal?: AbortSignal): Pages<Organization>;
  get(org: string): Promise<Organization>;
}

export interface Emojis {
  /** Standard and custom ones, in one piece (Specification, "Emojis"). */
  list(org: string): Promise<Emoji[]>;
}

export const organizations = (rest: RestClient): Organizations => ({
  list: (signal) =>
    rest.pages<Organization>({
      method: 'GET',
      path: ['v2', 'organizations'],
      query: { per_page: 100 },
      action: 'list organizations',
      scope: 'read_organizations',
      signal,
    }),
  get: (org) =>
    rest.one<Organization>(
      {
        method: 'GET',
        path: ['v2', 'organizations', org],
        action: `view organization ${org}`,
        scope: 'read_organizations',
        subject: { org },
      },
      asItCame,
    ),
});

export const emojis = (rest: RestClient): Emojis => ({
  list: (org) =>
    rest.many<Emoji>({
      method: 'GET',
      path: ['v2', 'organizations', org, 'emojis'],
      action: `list the emojis of ${org}`,
      subject: { org },
    }),
});
