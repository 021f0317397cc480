import { job } from '../../api/resources/job.ts';
import { jobStates } from '../../api/resources/states.ts';
import { command } from '../../command/command.ts';
import { readerNames } from '../../dotenv/reader-names.ts';
import { webFlags } from '../web-flags.ts';
import { watchFlags } from '../../watch/watch-flags.ts';
import { timestampKinds } from '../../log/format-time.ts';

const aJob = {
  job: { suggests: 'jobs', summary: 'BUILD#JOB, a URL, an ID, a step key or a name' },
} as const;

const buildOption = {
  build: { value: 'BUILD', suggests: 'builds', summary: 'build that contains the job' },
} as const;

export const jobList = command({
  name: 'job list',
  summary: 'List jobs in a build',
  arguments: {
    build: { suggests: 'builds', summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or a URL' },
  },
  options: {
    state: {
      value: 'STATE',
      choices: jobStates,
      repeat: true,
      summary: 'filter by state',
    },
    failed: { summary: 'only failed jobs, excluding soft failures' },
    includeRetriedJobs: { summary: 'include jobs that were retried' },
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
    includeRetriedJobs: { summary: 'include jobs that were retried' },
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
    "Inside a job, JOB defaults to that job; otherwise, to the build's only failed job (with --follow, its only unfinished job). With --follow, --tail N starts with the last N lines of the log so far. Control characters and bidirectional overrides are removed, except with --format raw.",
  arguments: aJob,
  options: {
    format: {
      value: 'FORMAT',
      choices: logFormats,
      fallback: 'ansi on a terminal, text in a pipe',
      summary: 'output format',
    },
    timestamps: {
      value: 'KIND',
      choices: timestampKinds,
      summary: 'print the time before each line',
    },
    groups: { summary: 'list the sections of the log with their times' },
    group: { value: 'NAME', summary: 'print one section, by its name or part of its name' },
    head: { value: 'N', type: 'integer', summary: 'print the first N lines' },
    tail: { value: 'N', type: 'integer', summary: 'print the last N lines' },
    grep: { value: 'RE', summary: 'print matching lines' },
    after: { short: 'A', value: 'N', type: 'integer', summary: 'print N lines after each match' },
    before: { short: 'B', value: 'N', type: 'integer', summary: 'print N lines before each match' },
    context: {
      short: 'C',
      value: 'N',
      type: 'integer',
      summary: 'print N lines around each match',
    },
    ignoreCase: { short: 'i', summary: 'ignore case' },
    invert: { short: 'v', summary: 'print lines that do not match' },
    follow: {
      summary: 'print new lines until the job finishes, and exit with its exit code',
      live: true,
    },
    timeout: {
      value: 'DURATION',
      type: 'duration',
      summary: 'maximum time to wait with --follow',
    },
    server: { summary: 'with --format html: print the HTML from the service' },
    failed: { summary: 'print the logs of all failed jobs of the build' },
    out: {
      short: 'O',
      value: 'FILE',
      summary: 'output file, - for standard output; with --failed, a directory',
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
    'The ID of a retried job refers to its latest retry. --watch waits for the whole build, including the jobs that depend on the retried job.',
  arguments: {
    job: {
      suggests: 'retryable jobs',
      summary: 'BUILD#JOB, a URL, or JOB with --build',
      variadic: true,
    },
  },
  options: {
    failed: { summary: 'retry all failed jobs of --build' },
    ...buildOption,
    ...watchFlags,
  },
  examples: ['cictl job retry hello/3#test', 'cictl job retry --failed --build hello/3'],
  resource: job,
  mutates: true,
});

export const jobUnblock = command({
  name: 'job unblock',
  summary: 'Unblock a block step and set its fields',
  arguments: {
    job: { suggests: 'blocked jobs', summary: 'BUILD#JOB, a URL, or JOB with --build' },
  },
  options: {
    ...buildOption,
    field: {
      value: 'K=V',
      repeat: true,
      summary: 'field value; repeat a key to set several values',
    },
    fieldsFile: { value: 'FILE|-', summary: 'JSON object with field values; - for standard input' },
    unblocker: { value: 'USER-ID', summary: "user to unblock as (default: the token's user)" },
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
  summary: 'Delete the log of a job permanently',
  arguments: { job: { suggests: 'jobs', summary: 'BUILD#JOB, a URL, or JOB with --build' } },
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
    'The dotenv and export formats are for POSIX shells, and sourcing the output runs no code: variables that are special to bash, dash or zsh (ENV, PS1, RANDOM, path, ...) are omitted unless their value is harmless.',
  arguments: aJob,
  options: {
    format: {
      value: 'FORMAT',
      choices: ['table', 'dotenv', 'export', 'json', 'raw'],
      fallback: 'table on a terminal, dotenv in a pipe',
      summary: 'output format',
    },
    for: {
      value: 'READER',
      choices: readerNames,
      summary: "use this tool's dotenv syntax instead of a shell's",
    },
    allNames: { summary: 'include names that are special to shells' },
    showSecrets: { summary: 'do not mask values in the table' },
    run: { summary: "run the job's command here, in bash, with the job's environment" },
    ...buildOption,
  },
  examples: ['cictl job env hello/3#test > .env', 'cictl job env hello/3#test -- make test'],
  passThrough: 'COMMAND ARGS...',
});
