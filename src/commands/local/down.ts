import { command } from '../../cli/command.ts';

export const localDown = command({
  name: 'local down',
  summary: 'End the built-in service',
  details: 'Jobs that run are ended with it. Code 0 also where it does not run.',
  arguments: {},
  options: {},
  examples: ['cictl local down', 'cictl local down && cictl local up'],
  settings: 'optional',
});
