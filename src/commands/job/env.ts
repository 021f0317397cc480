import { command } from '../../cli/command.ts';

const envFormats = ['table', 'dotenv', 'export', 'json', 'raw'] as const;

export const jobEnv = command({
  name: 'job env',
  summary: 'Show the environment of a job, or run a command in it',
  arguments: { job: { summary: 'BUILD#JOB, an address, or an id, step key or name' } },
  options: {
    format: {
      value: 'FORMAT',
      choices: envFormats,
      fallback: 'table on a terminal, dotenv in a pipe',
      summary: 'how it is printed',
    },
    showSecrets: { summary: 'do not mask values in the table' },
    build: { value: 'BUILD', summary: 'the build of JOB' },
  },
  examples: ['cictl job env hello/3#test > .env', 'cictl job env hello/3#test -- make test'],
  passThrough: true,
});
