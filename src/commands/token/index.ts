import { accessToken } from '../../api/resources/access_token.ts';
import { command } from '../../command/command.ts';

export const tokenView = command({
  name: 'token view',
  summary: 'Show the scopes of the token in use',
  examples: ['cictl token view', "cictl token view --jq '.scopes[]'"],
  resource: accessToken,
  paged: true,
});

export const tokenRevoke = command({
  name: 'token revoke',
  summary: 'Revoke the token in use, for good',
  details: 'The token is also dropped from every profile that holds it.',
  examples: ['cictl token revoke', 'CICTL_TOKEN=... cictl token revoke --yes'],
  mutates: true,
});
