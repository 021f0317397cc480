import { organization } from '../../../api/resources/organization.ts';
import { user } from '../../../api/resources/user.ts';
import { command } from '../../../command/command.ts';

export const localOrgAdd = command({
  name: 'local org add',
  summary: 'Add an organization to the built-in service',
  details: 'The tokens that there are do not reach it: make one with cictl local token create.',
  arguments: { slug: { summary: 'slug of the organization', required: true } },
  options: { name: { value: 'NAME', fallback: 'the slug', summary: 'its name' } },
  examples: ['cictl local org add acme', 'cictl local org add acme --name "Acme Corporation"'],
  settings: 'optional',
  resource: organization,
});

export const localUserAdd = command({
  name: 'local user add',
  summary: 'Add a user to the built-in service',
  details: 'A member has no edit permission on pipelines.',
  arguments: { name: { summary: 'name of the user', required: true } },
  options: {
    email: { value: 'MAIL', summary: 'mail address (required)' },
    role: { value: 'ROLE', choices: ['admin', 'member'], fallback: 'member', summary: 'role' },
  },
  examples: [
    'cictl local user add Ada --email ada@example.com',
    'cictl local user add Ada --email ada@example.com --role admin --org acme',
  ],
  settings: 'optional',
  resource: user,
});

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
    'cictl local token create | cictl auth login --service local --with-token',
  ],
  settings: 'optional',
});
