import { command } from '../../cli/command.ts';

export const localLogs = command({
  name: 'local logs',
  summary: 'Print what the built-in service said',
  details: 'The log of the service itself, not of a job: for that see cictl job log.',
  arguments: {},
  options: {},
  examples: ['cictl local logs', 'cictl local logs | tail -n 20'],
  settings: 'optional',
});
