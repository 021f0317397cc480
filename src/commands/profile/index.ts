import { command } from '../../command/command.ts';
import { profileResource } from './profile-resource.ts';

export const profileList = command({
  name: 'profile list',
  summary: 'List profiles',
  arguments: {},
  options: {},
  examples: ['cictl profile list', 'cictl profile list --json'],
  settings: 'optional',
  resource: profileResource,
  paged: true,
});

export const profileUse = command({
  name: 'profile use',
  summary: 'Make a profile the current one',
  arguments: { name: { suggests: 'profiles', summary: 'profile', required: true } },
  options: {},
  examples: ['cictl profile use local', 'cictl profile use buildkite'],
  settings: 'optional',
});

export const profileView = command({
  name: 'profile view',
  summary: 'Show a profile, its tokens masked',
  arguments: { name: { suggests: 'profiles', summary: 'profile (default: the one in use)' } },
  options: {},
  examples: ['cictl profile view', 'cictl profile view local --json'],
  settings: 'optional',
  resource: profileResource,
  paged: true,
});

export const profileSet = command({
  name: 'profile set',
  summary: 'Change a setting of the profile in use',
  details: 'An empty VALUE takes the setting away. Tokens are kept by `cictl auth login` alone.',
  arguments: {
    key: {
      summary: 'org, pipeline, output, base-url, agent-url or graphql-url',
      required: true,
      suggests: ['org', 'pipeline', 'output', 'base-url', 'agent-url', 'graphql-url'],
    },
    value: { summary: 'its value', required: true },
  },
  options: {},
  examples: ['cictl profile set org acme', 'cictl profile set pipeline web --profile work'],
  settings: 'optional',
});

export const profileRemove = command({
  name: 'profile remove',
  summary: 'Delete a profile with its tokens',
  details: 'The tokens stay valid; `cictl auth logout --revoke` ends one.',
  arguments: { name: { suggests: 'profiles', summary: 'profile', required: true } },
  options: {},
  examples: ['cictl profile remove work', 'cictl profile remove work --yes'],
  settings: 'optional',
});
