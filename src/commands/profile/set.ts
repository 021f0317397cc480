import { command } from '../../cli/command.ts';

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
