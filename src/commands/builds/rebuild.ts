import { build } from '../../api/resources/build.ts';
import { command } from '../../cli/command.ts';
import { watchFlags } from '../watching/flags.ts';

export const buildsRebuild = command({
  name: 'builds rebuild',
  summary: 'Create a build like an earlier one',
  arguments: { build: { summary: 'N, PIPELINE/N, ORG/PIPELINE/N or an address' } },
  options: watchFlags,
  examples: ['cictl builds rebuild hello/3', 'cictl builds rebuild latest -p hello'],
  resource: build,
  mutates: true,
});
