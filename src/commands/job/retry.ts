import { job } from '../../api/resources/job.ts';
import { command } from '../../cli/command.ts';
import { watchFlags } from '../watching/flags.ts';

export const jobRetry = command({
  name: 'job retry',
  summary: 'Retry failed, timed out or canceled jobs',
  details:
    'The id of a job that was retried before leads to its newest execution. --watch waits for the\n' +
    'whole build: what comes after the job belongs to it.',
  arguments: { job: { summary: 'BUILD#JOB, an address, or JOB with --build', variadic: true } },
  options: {
    failed: { summary: 'all failed jobs of the build that --build names' },
    build: { value: 'BUILD', summary: 'the build of JOB' },
    ...watchFlags,
  },
  examples: ['cictl job retry hello/3#test', 'cictl job retry --failed --build hello/3'],
  resource: job,
  mutates: true,
});
