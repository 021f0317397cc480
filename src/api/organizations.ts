import { type RestClient, asItCame } from './rest-client.ts';
import type { Emoji } from './resources/emoji.ts';
import type { Organization } from './resources/organization.ts';

export const organizations = (rest: RestClient) => ({
  list: (signal?: AbortSignal) =>
    rest.pages<Organization>({
      ...{ method: 'GET', path: ['v2', 'organizations'], query: { per_page: 100 } },
      ...{ action: 'list organizations', scope: 'read_organizations', signal },
    }),
  get: (org: string) =>
    rest.one<Organization>(
      {
        ...{ method: 'GET', path: ['v2', 'organizations', org], subject: { org } },
        ...{ action: `view organization ${org}`, scope: 'read_organizations' },
      },
      asItCame,
    ),
});

export const emojis = (rest: RestClient) => ({
  list: (org: string) =>
    rest.many<Emoji>({
      ...{ method: 'GET', path: ['v2', 'organizations', org, 'emojis'] },
      ...{ action: `list the emojis in ${org}`, subject: { org } },
    }),
});
