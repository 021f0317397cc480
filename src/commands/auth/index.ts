import { resource, text, texts, url } from '../../api/resources/resource.ts';
import { command } from '../../command/command.ts';

export const authLogin = command({
  name: 'auth login',
  summary: 'Check a token and keep it in a profile',
  details: [
    'The token is read from standard input (--with-token), else asked for without showing it.',
    'It goes to the service that it is for, and nowhere else.',
  ].join('\n'),
  options: {
    service: {
      value: 'SERVICE',
      suggests: ['buildkite', 'local'],
      fallback: 'buildkite',
      summary: 'buildkite, local, or a URL that serves all three APIs',
    },
    withToken: { summary: 'read the token from standard input' },
    agent: { summary: 'an agent registration token instead, which metrics wants' },
  },
  examples: [
    'cictl auth login --service buildkite --with-token < token.txt',
    'cictl auth login --profile work --service https://ci.example.com',
  ],
});

export const authLogout = command({
  name: 'auth logout',
  summary: 'Drop the tokens of the profile in use',
  details: 'The profile keeps its addresses; `cictl profile remove` deletes it.',
  options: { revoke: { summary: 'also revoke the access token at the service, for good' } },
  examples: ['cictl auth logout', 'cictl auth logout --profile work --revoke'],
  settings: 'optional',
});

/** What is known of a login; never a token. */
export const login = resource({
  name: 'login',
  plural: 'logins',
  members: {
    profile: text(),
    baseUrl: url(),
    token: text(),
    uuid: text(),
    scopes: texts(),
    agentUrl: url(),
    agentToken: text(),
    organization: text(),
  },
  columns: [
    { path: 'profile', heading: 'PROFILE' },
    { path: 'baseUrl', heading: 'SERVICE' },
    { path: 'token', heading: 'TOKEN FROM' },
    { path: 'scopes', heading: 'SCOPES' },
  ],
});

export const authStatus = command({
  name: 'auth status',
  summary: 'Show the service, the profile and what the token may do',
  details: 'Asks the service, so that 0 means that the token is good and 6 that it is not.',
  examples: ['cictl auth status', "cictl auth status --jq '.scopes[]'"],
  resource: login,
});

export const authToken = command({
  name: 'auth token',
  summary: 'Print the access token in use',
  examples: ['cictl auth token', 'cictl auth token --profile work'],
});
