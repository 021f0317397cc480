import { build } from '../../api/resources/build.ts';
import { command } from '../../cli/command.ts';
import { buildStates } from '../states.ts';

export const buildsList = command({
  name: 'builds list',
  summary: 'List builds, newest first',
  details: 'Lists the pipeline where one is known, else the organization, else all.',
  arguments: { target: { summary: 'PIPELINE, ORG/PIPELINE or an address' } },
  options: {
    state: {
      short: 's',
      value: 'STATE',
      choices: [...buildStates, 'finished'],
      repeat: true,
      summary: 'only builds in this state',
    },
    branch: { short: 'b', value: 'BRANCH', repeat: true, summary: 'only builds of this branch' },
    commit: { short: 'c', value: 'COMMIT', repeat: true, summary: 'only builds of this commit' },
    creator: { value: 'USER-ID', summary: 'only builds that this user created' },
    createdFrom: { value: 'TIME', summary: 'created at this time or later' },
    createdTo: { value: 'TIME', summary: 'created before this time' },
    finishedFrom: { value: 'TIME', summary: 'finished at this time or later' },
    metaData: { value: 'K=V', repeat: true, summary: 'only builds with this meta-data' },
    includeRetriedJobs: { summary: 'jobs include those that were retried' },
    limit: { short: 'L', value: 'N', type: 'integer', fallback: '30', summary: 'at most N builds' },
    all: { summary: 'all builds, however many pages' },
    allPipelines: { summary: 'all pipelines of the organization' },
    allOrgs: { summary: 'all organizations of the token' },
  },
  examples: [
    'cictl builds list --state failed --created-from 7d',
    'cictl builds list --all-orgs --json --fields number,state,pipeline.slug',
  ],
  resource: build,
});
