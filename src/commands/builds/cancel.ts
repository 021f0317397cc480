import { build } from '../../api/resources/build.ts';
import { command } from '../../cli/command.ts';
import { watchFlags } from '../watching/flags.ts';

export const buildsCancel = command({
  name: 'builds cancel',
  summary: 'Cancel builds',
  details: 'With --watch a build that was canceled, as it should be, is exit code 3.',
  arguments: { build: { summary: 'N, PIPELINE/N, ORG/PIPELINE/N or an address', variadic: true } },
  options: watchFlags,
  examples: ['cictl builds cancel hello/3', 'cictl builds cancel hello/3 hello/4 --yes'],
  resource: build,
  mutates: true,
});
