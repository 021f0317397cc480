import { job } from '../../api/resources/job.ts';
import { jobStates } from '../../api/resources/states.ts';
import { command } from '../../command/command.ts';
import { readerNames } from '../../dotenv/reader-names.ts';
import { webFlags } from '../web-flags.ts';
import { watchFlags } from '../../watch/watch-flags.ts';
import { timestampKinds } from '../../log/format-time.ts';

const aJob = {
  job: { suggests: 'jobs', summary: 'BUILD#JOB, an address, or an id, step key or name' },
} as const;

const buildOption = {
  build: { value: 'BUILD', suggests: 'builds', summary: 'the build of JOB' },
} as const;

export const jobList = command({
  name: 'job list',
  summary: 'List the jobs of a build',
  arguments: {
    build: { suggests: 'builds', summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or an address' },
  },
  options: {
    state: {
      value: 'STATE',
      choices: jobStates,
      repeat: true,
      summary: 'only jobs in this state',
    },
    failed: { summary: 'only jobs that failed, soft failures left out' },
    includeRetriedJobs: { summary: 'also jobs that were retried' },
  },
  examples: ['cictl job list hello/3', 'cictl job list latest --failed --fields id,name'],
  resource: job,
  paged: true,
});

export const jobView = command({
  name: 'job view',
  summary: 'Show a job',
  arguments: aJob,
  options: {
    ...buildOption,
    includeRetriedJobs: { summary: 'also jobs that were retried' },
    ...webFlags,
  },
  examples: ['cictl job view hello/3#test', 'cictl job view test --build latest --jq .exit_status'],
  resource: job,
  paged: true,
});

export const logFormats = ['ansi', 'text', 'raw', 'html', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

export const jobLog = command({
  name: 'job log',
  summary: 'Print the log of a job',
  details:
    'Without JOB: the only failed job of the build, or the job that this runs in. --follow takes the\nonly job that has not ended; with --tail it begins with the last lines that are there. Control\ncharacters and marks of direction (U+202E and the like) are left out, but of raw.',
  arguments: aJob,
  options: {
    format: {
      value: 'FORMAT',
      choices: logFormats,
      fallback: 'ansi on a terminal, text in a pipe',
      summary: 'how it is printed',
    },
    timestamps: { value: 'KIND', choices: timestampKinds, summary: 'the time before each line' },
    groups: { summary: 'list the sections with their times' },
    group: { value: 'NAME', summary: 'one section, by its name or a part of it' },
    head: { value: 'N', type: 'integer', summary: 'the first lines' },
    tail: { value: 'N', type: 'integer', summary: 'the last lines' },
    grep: { value: 'RE', summary: 'the lines that match' },
    after: { short: 'A', value: 'N', type: 'integer', summary: 'lines after each match' },
    before: { short: 'B', value: 'N', type: 'integer', summary: 'lines before each match' },
    context: { short: 'C', value: 'N', type: 'integer', summary: 'lines around each match' },
    ignoreCase: { short: 'i', summary: 'match in any case' },
    invert: { short: 'v', summary: 'the lines that do not match' },
    follow: {
      summary: 'print what comes until the job has ended, and exit with its outcome',
      live: true,
    },
    timeout: {
      value: 'DURATION',
      type: 'duration',
      summary: 'with --follow: longest time for the whole wait',
    },
    server: { summary: "with --format html: the service's own rendering" },
    failed: { summary: 'every failed job of the build' },
    out: {
      short: 'O',
      value: 'FILE',
      summary: 'write it to a file, - is standard output; a folder with --failed',
    },
    ...buildOption,
  },
  examples: [
    'cictl job log hello/3#test --tail 50',
    'cictl job log test --build latest --follow --grep error --timestamps utc',
  ],
  paged: true,
});

export const jobRetry = command({
  name: 'job retry',
  summary: 'Retry failed, timed out or canceled jobs',
  details:
    'The id of a job that was retried before leads to its newest execution. --watch waits for the\n' +
    'whole build: what comes after the job belongs to it.',
  arguments: {
    job: {
      suggests: 'retryable jobs',
      summary: 'BUILD#JOB, an address, or JOB with --build',
      variadic: true,
    },
  },
  options: {
    failed: { summary: 'all failed jobs of the build that --build names' },
    ...buildOption,
    ...watchFlags,
  },
  examples: ['cictl job retry hello/3#test', 'cictl job retry --failed --build hello/3'],
  resource: job,
  mutates: true,
});

export const jobUnblock = command({
  name: 'job unblock',
  summary: 'Unblock a block step, with values for its fields',
  arguments: {
    job: { suggests: 'blocked jobs', summary: 'BUILD#JOB, an address, or JOB with --build' },
  },
  options: {
    ...buildOption,
    field: { value: 'K=V', repeat: true, summary: 'value of a field; one key twice makes a list' },
    fieldsFile: { value: 'FILE|-', summary: 'JSON object with the values; - for standard input' },
    unblocker: { value: 'USER-ID', summary: 'who unblocks; default the user of the token' },
  },
  examples: [
    'cictl job unblock hello/3#release --field version=1.4',
    'cictl job unblock release --build hello/3 --fields-file fields.json',
  ],
  resource: job,
  mutates: true,
});

export const jobDeleteLog = command({
  name: 'job delete-log',
  summary: 'Delete the log of a job, for good',
  arguments: { job: { suggests: 'jobs', summary: 'BUILD#JOB, an address, or JOB with --build' } },
  options: buildOption,
  examples: [
    'cictl job delete-log hello/3#test',
    'cictl job delete-log test --build hello/3 --yes',
  ],
  mutates: true,
});

export const jobEnv = command({
  name: 'job env',
  summary: 'Show the environment of a job, or run a command in it',
  details:
    'dotenv and export are for a POSIX shell, and sourcing them runs nothing: names that bash, dash\n' +
    'or zsh obey (ENV, PS1, RANDOM, path, ...) are left out, unless their value is harmless.',
  arguments: aJob,
  options: {
    format: {
      value: 'FORMAT',
      choices: ['table', 'dotenv', 'export', 'json', 'raw'],
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
    ...buildOption,
  },
  examples: ['cictl job env hello/3#test > .env', 'cictl job env hello/3#test -- make test'],
  passThrough: 'COMMAND ARGS...',
});
