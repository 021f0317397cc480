import { command } from '../../cli/command.ts';

export const authToken = command({
  name: 'auth token',
  summary: 'Print the access token in use',
  arguments: {},
  options: {},
  examples: ['cictl auth token', 'cictl auth token --profile work'],
});
