import { build } from '../../api/resources/build.ts';
import { command } from '../../cli/command.ts';

export const buildsCancel = command({
  name: 'builds cancel',
  summary: 'Cancel builds',
  arguments: { build: { summary: 'N, PIPELINE/N, ORG/PIPELINE/N or an address', variadic: true } },
  options: {},
  examples: ['cictl builds cancel hello/3', 'cictl builds cancel hello/3 hello/4 --yes'],
  resource: build,
  mutates: true,
});
