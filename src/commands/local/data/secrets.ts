import { command } from '../../../command/command.ts';
import { localSecret } from '../secret-resource.ts';

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
