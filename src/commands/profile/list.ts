import { command } from '../../cli/command.ts';
import { profile } from './resource.ts';

export const profileList = command({
  name: 'profile list',
  summary: 'List profiles',
  arguments: {},
  options: {},
  examples: ['cictl profile list', 'cictl profile list --json'],
  settings: 'optional',
  resource: profile,
});
