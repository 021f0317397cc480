import { command } from '../../cli/command.ts';
import { profile } from './resource.ts';

export const profileView = command({
  name: 'profile view',
  summary: 'Show a profile, its tokens masked',
  arguments: { name: { suggests: 'profiles', summary: 'profile (default: the one in use)' } },
  options: {},
  examples: ['cictl profile view', 'cictl profile view local --json'],
  settings: 'optional',
  resource: profile,
});
