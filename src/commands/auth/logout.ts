import { command } from '../../cli/command.ts';

export const authLogout = command({
  name: 'auth logout',
  summary: 'Drop the tokens of the profile in use',
  details: 'The profile keeps its addresses; `cictl profile remove` deletes it.',
  arguments: {},
  options: { revoke: { summary: 'also revoke the access token at the service, for good' } },
  examples: ['cictl auth logout', 'cictl auth logout --profile work --revoke'],
  settings: 'optional',
});
