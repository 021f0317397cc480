import { build } from '../../api/resources/build.ts';
import { command } from '../../cli/command.ts';

export const buildsView = command({
  name: 'builds view',
  summary: 'Show a build with its jobs',
  arguments: { build: { summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or an address' } },
  options: {
    includeRetriedJobs: { summary: 'jobs include those that were retried' },
    web: { summary: 'open the build in a browser' },
  },
  examples: ['cictl builds view latest', 'cictl builds view hello/3 --jq .state'],
  resource: build,
});
