import { accessToken } from '../../api/resources/access_token.ts';
import { command } from '../../command/command.ts';

export const tokenView = command({
  name: 'token view',
  summary: 'Show the scopes of the current token',
  examples: ['cictl token view', "cictl token view --jq '.scopes[]'"],
  resource: accessToken,
  paged: true,
});

export const tokenRevoke = command({
  name: 'token revoke',
  summary: 'Revoke the current token permanently',
  details: 'The token is also removed from all profiles.',
  examples: ['cictl token revoke', 'CICTL_TOKEN=... cictl token revoke --yes'],
  mutates: true,
});
