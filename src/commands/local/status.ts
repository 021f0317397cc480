import { command } from '../../cli/command.ts';
import { localService } from './service.ts';

export const localStatus = command({
  name: 'local status',
  summary: 'Tell whether the built-in service runs',
  details: 'Code 0 when it runs, 9 when it does not.',
  arguments: {},
  options: {},
  examples: ['cictl local status', 'cictl local status --json --fields url'],
  settings: 'optional',
  resource: localService,
});
