import { organization } from '../../../api/resources/organization.ts';
import { user } from '../../../api/resources/user.ts';
import { command } from '../../../command/command.ts';
import { localSecret } from '../resources.ts';

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

export const localSecretSet = command({
  name: 'local secret set',
  summary: 'Keep a secret for the steps of all pipelines',
  details:
    'Its value comes from standard input, on a terminal from a question that shows nothing. Steps get\n' +
    'it with secrets, jobs with buildkite-agent secret get, on this machine and on real agents; what\n' +
    'cictl run --secret gives counts more. The end of a single line is no part of it.',
  arguments: {
    name: { suggests: 'local secrets', summary: 'name, as of a variable', required: true },
  },
  options: {},
  examples: ['cictl local secret set DEPLOY_KEY < key.pem', 'cictl local secret set NPM_TOKEN'],
  settings: 'optional',
});

export const localSecretList = command({
  name: 'local secret list',
  summary: 'List the names of the secrets that the service keeps',
  details: 'Their values are shown nowhere.',
  arguments: {},
  options: {},
  examples: ['cictl local secret list', 'cictl local secret list --fields key,updated_at'],
  settings: 'optional',
  resource: localSecret,
  paged: true,
});

export const localSecretRemove = command({
  name: 'local secret remove',
  summary: 'Remove a secret from the service',
  details: 'Jobs that have it already keep it until their end.',
  arguments: { name: { suggests: 'local secrets', summary: 'its name', required: true } },
  options: {},
  examples: ['cictl local secret remove NPM_TOKEN', 'cictl local secret remove KEY --org acme'],
  settings: 'optional',
});
