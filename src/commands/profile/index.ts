import { command } from '../../command/command.ts';
import { boolean, resource, text, url } from '../../api/resources/resource.ts';
import { publicService } from '../../config/addresses.ts';
import type { Profile } from '../../config/profiles.ts';

// Profiles as `profile list` and `profile view` show them: tokens are masked.

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

export const profileList = command({
  name: 'profile list',
  summary: 'List profiles',
  examples: ['cictl profile list', 'cictl profile list --json'],
  settings: 'optional',
  resource: profileResource,
  paged: true,
});

export const profileUse = command({
  name: 'profile use',
  summary: 'Switch to a profile',
  arguments: { name: { suggests: 'profiles', summary: 'profile name', required: true } },
  examples: ['cictl profile use local', 'cictl profile use buildkite'],
  settings: 'optional',
});

export const profileView = command({
  name: 'profile view',
  summary: 'Show a profile, with its tokens masked',
  arguments: {
    name: { suggests: 'profiles', summary: 'profile name (default: the current profile)' },
  },
  examples: ['cictl profile view', 'cictl profile view local --json'],
  settings: 'optional',
  resource: profileResource,
  paged: true,
});

export const profileSet = command({
  name: 'profile set',
  summary: 'Change a setting of the current profile',
  details: 'An empty VALUE removes the setting. To change tokens, use `cictl auth login`.',
  arguments: {
    key: {
      summary: 'org, pipeline, output, base-url, agent-url or graphql-url',
      required: true,
      suggests: ['org', 'pipeline', 'output', 'base-url', 'agent-url', 'graphql-url'],
    },
    value: { summary: 'new value', required: true },
  },
  examples: ['cictl profile set org acme', 'cictl profile set pipeline web --profile work'],
  settings: 'optional',
});

export const profileRemove = command({
  name: 'profile remove',
  summary: 'Remove a profile and its tokens',
  details: 'The tokens stay valid; to revoke one, use `cictl auth logout --revoke`.',
  arguments: { name: { suggests: 'profiles', summary: 'profile name', required: true } },
  examples: ['cictl profile remove work', 'cictl profile remove work --yes'],
  settings: 'optional',
});

/** Includes default URLs that the profile does not set. */
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
