/** A profile as `profile list` and `profile view` show it: tokens are masked. */
import { boolean, resource, text, url } from '../../api/resources/resource.ts';
import { publicService } from '../../config/addresses.ts';
import type { Profile } from '../../config/profiles.ts';

export const profileResource = resource({
  name: 'profile',
  plural: 'profiles',
  references: ['name'],
  members: {
    name: text(),
    current: boolean(),
    baseUrl: url(),
    agentUrl: url(),
    graphqlUrl: url(),
    org: text(),
    pipeline: text(),
    output: text(),
    token: text(),
    agentToken: text(),
  },
  columns: [
    { path: 'name', heading: 'NAME' },
    { path: 'current', heading: 'CURRENT' },
    { path: 'baseUrl', heading: 'SERVICE' },
    { path: 'org', heading: 'ORG' },
    { path: 'pipeline', heading: 'PIPELINE' },
  ],
});

/** The addresses are those that requests go to, whether the profile names each of them or not. */
export function shownProfile(name: string, stored: Profile, current: string | undefined): object {
  const base = stored.baseUrl;
  return {
    name,
    current: name === current,
    baseUrl: base ?? publicService.baseUrl,
    agentUrl: stored.agentUrl ?? base ?? publicService.agentUrl,
    graphqlUrl: stored.graphqlUrl ?? base ?? publicService.graphqlUrl,
    org: stored.org ?? null,
    pipeline: stored.pipeline ?? null,
    output: stored.output ?? null,
    token: masked(stored.token),
    agentToken: masked(stored.agentToken),
  };
}

const masked = (token: string | undefined): string | null =>
  token === undefined ? null : '********';
