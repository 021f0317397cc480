import { command } from '../../cli/command.ts';

export const profileUse = command({
  name: 'profile use',
  summary: 'Make a profile the current one',
  arguments: { name: { suggests: 'profiles', summary: 'profile', required: true } },
  options: {},
  examples: ['cictl profile use local', 'cictl profile use buildkite'],
  settings: 'optional',
});
