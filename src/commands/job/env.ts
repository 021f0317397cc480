import { command } from '../../cli/command.ts';
import { readerNames } from '../../dotenv/reader-names.ts';

const envFormats = ['table', 'dotenv', 'export', 'json', 'raw'] as const;

export const jobEnv = command({
  name: 'job env',
  summary: 'Show the environment of a job, or run a command in it',
  details:
    'dotenv and export are for a POSIX shell, and sourcing them runs nothing: names that bash, dash\n' +
    'or zsh obey (ENV, PS1, RANDOM, path, ...) are left out, unless their value is harmless.',
  arguments: { job: { summary: 'BUILD#JOB, an address, or an id, step key or name' } },
  options: {
    format: {
      value: 'FORMAT',
      choices: envFormats,
      fallback: 'table on a terminal, dotenv in a pipe',
      summary: 'how it is printed',
    },
    for: {
      value: 'READER',
      choices: readerNames,
      summary: 'dotenv as this reader takes it, in place of a shell',
    },
    allNames: { summary: 'give the names too that a shell obeys or refuses' },
    showSecrets: { summary: 'do not mask values in the table' },
    run: { summary: "run the job's own command here, with bash, in its environment" },
    build: { value: 'BUILD', summary: 'the build of JOB' },
  },
  examples: ['cictl job env hello/3#test > .env', 'cictl job env hello/3#test -- make test'],
  passThrough: true,
});
