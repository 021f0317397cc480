import { resource, text, texts, url } from '../../api/resources/resource.ts';
import { command } from '../../cli/command.ts';

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
  summary: 'Tell the service, the profile and what the token may do',
  details: 'Asks the service, so that 0 means that the token is good and 6 that it is not.',
  arguments: {},
  options: {},
  examples: ['cictl auth status', "cictl auth status --jq '.scopes[]'"],
  resource: login,
});
