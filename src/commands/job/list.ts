import { job } from '../../api/resources/job.ts';
import { command } from '../../cli/command.ts';
import { jobStates } from '../states.ts';

export const jobList = command({
  name: 'job list',
  summary: 'List the jobs of a build',
  arguments: { build: { summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or an address' } },
  options: {
    state: {
      value: 'STATE',
      suggests: jobStates,
      repeat: true,
      summary: 'only jobs in this state',
    },
    failed: { summary: 'only jobs that failed, soft failures left out' },
    includeRetriedJobs: { summary: 'also jobs that were retried' },
  },
  examples: ['cictl job list hello/3', 'cictl job list latest --failed --fields id,name'],
  resource: job,
});
