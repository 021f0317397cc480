import { command } from '../../cli/command.ts';

export const logFormats = ['text', 'raw', 'json'] as const;

export const jobLog = command({
  name: 'job log',
  summary: 'Print the log of a job',
  details: 'Without JOB: the only failed job of the build, or the job that this runs in.',
  arguments: { job: { summary: 'BUILD#JOB, an address, or an id, step key or name' } },
  options: {
    format: {
      value: 'FORMAT',
      choices: logFormats,
      fallback: 'text',
      summary: 'how it is printed',
    },
    out: { short: 'O', value: 'FILE', summary: 'write it to a file' },
    build: { value: 'BUILD', summary: 'the build of JOB' },
  },
  examples: [
    'cictl job log hello/3#test',
    'cictl job log test --build latest --format raw -O test.log',
  ],
});
