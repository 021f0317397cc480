import { command } from '../../cli/command.ts';

export const jobDeleteLog = command({
  name: 'job delete-log',
  summary: 'Delete the log of a job, for good',
  arguments: { job: { summary: 'BUILD#JOB, an address, or JOB with --build' } },
  options: { build: { value: 'BUILD', summary: 'the build of JOB' } },
  examples: [
    'cictl job delete-log hello/3#test',
    'cictl job delete-log test --build hello/3 --yes',
  ],
  mutates: true,
});
