import { accessToken } from '../../api/resources/access_token.ts';
import { command } from '../../cli/command.ts';

export const tokenView = command({
  name: 'token view',
  summary: 'Show the scopes of the token in use',
  arguments: {},
  options: {},
  examples: ['cictl token view', "cictl token view --jq '.scopes[]'"],
  resource: accessToken,
});
