import { job } from '../../api/resources/job.ts';
import { command } from '../../cli/command.ts';

export const jobView = command({
  name: 'job view',
  summary: 'Show a job',
  arguments: { job: { summary: 'BUILD#JOB, an address, or an id, step key or name' } },
  options: {
    build: { value: 'BUILD', summary: 'the build of JOB' },
    includeRetriedJobs: { summary: 'also jobs that were retried' },
  },
  examples: ['cictl job view hello/3#test', 'cictl job view test --build latest --jq .exit_status'],
  resource: job,
});
