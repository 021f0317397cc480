import { command } from '../../cli/command.ts';

export const localTokenCreate = command({
  name: 'local token create',
  summary: 'Make an access token for the built-in service and print it',
  details: 'Without --scope it has every scope, without --user it belongs to the first user.',
  arguments: {},
  options: {
    user: { value: 'USER', summary: 'id, name or mail address of its user' },
    org: {
      value: 'SLUG',
      repeat: true,
      fallback: "the user's",
      summary: 'organization that it reaches',
    },
    scope: { value: 'SCOPE', repeat: true, summary: 'scope that it has' },
    description: { value: 'TEXT', summary: 'what it is for' },
  },
  examples: [
    'cictl local token create --scope read_builds',
    'cictl local token create --user Ada --org acme | cictl auth login --profile ada --service local --with-token',
  ],
  settings: 'optional',
});
