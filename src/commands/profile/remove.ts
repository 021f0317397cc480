import { command } from '../../cli/command.ts';

export const profileRemove = command({
  name: 'profile remove',
  summary: 'Delete a profile with its tokens',
  details: 'The tokens stay valid; `cictl auth logout --revoke` ends one.',
  arguments: { name: { suggests: 'profiles', summary: 'profile', required: true } },
  options: {},
  examples: ['cictl profile remove work', 'cictl profile remove work --yes'],
  settings: 'optional',
});
