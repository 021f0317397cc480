import { resource, text, texts, url } from '../../api/resources/resource.ts';
import { command } from '../../command/command.ts';

export const authLogin = command({
  name: 'auth login',
  summary: 'Check a token and store it in a profile',
  details:
    'Reads the token from standard input (--with-token) or prompts for it without showing it. The token is sent only to its own service.',
  options: {
    service: {
      value: 'SERVICE',
      suggests: ['buildkite', 'local'],
      fallback: 'buildkite',
      summary: 'buildkite, local, or a URL that serves all three APIs',
    },
    withToken: { summary: 'read the token from standard input' },
    agent: { summary: 'store an agent registration token instead (for cictl metrics)' },
  },
  examples: [
    'cictl auth login --service buildkite --with-token < token.txt',
    'cictl auth login --profile work --service https://ci.example.com',
  ],
});

export const authLogout = command({
  name: 'auth logout',
  summary: 'Remove the tokens of the current profile',
  details: 'The profile keeps its URLs; `cictl profile remove` deletes it.',
  options: { revoke: { summary: 'also revoke the access token permanently' } },
  examples: ['cictl auth logout', 'cictl auth logout --profile work --revoke'],
  settings: 'optional',
});

/** The fields of a login, without its tokens. */
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
  summary: 'Show the service, the profile and the scopes of the token',
  details: 'Checks the token with the service: exits with 0 if it is valid, and with 6 if not.',
  examples: ['cictl auth status', "cictl auth status --jq '.scopes[]'"],
  resource: login,
});

export const authToken = command({
  name: 'auth token',
  summary: 'Print the current access token',
  examples: ['cictl auth token', 'cictl auth token --profile work'],
});
