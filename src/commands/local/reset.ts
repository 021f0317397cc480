import { command } from '../../cli/command.ts';

export const localReset = command({
  name: 'local reset',
  summary: 'Delete all data of the built-in service',
  details: 'Ends it first. Pipelines, builds, logs and tokens are gone afterwards.',
  arguments: {},
  options: {},
  examples: ['cictl local reset', 'cictl local reset --yes && cictl local up'],
  settings: 'optional',
});
