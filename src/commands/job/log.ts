import { command } from '../../cli/command.ts';
import { timestampKinds } from '../../log/times.ts';

export const logFormats = ['ansi', 'text', 'raw', 'html', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

export const jobLog = command({
  name: 'job log',
  summary: 'Print the log of a job',
  details:
    'Without JOB: the only failed job of the build, or the job that this runs in. --follow takes the\nonly job that has not ended; with --tail it begins with the last lines that are there. Control\ncharacters and marks of direction (U+202E and the like) are left out, but of raw.',
  arguments: { job: { summary: 'BUILD#JOB, an address, or an id, step key or name' } },
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
    follow: { summary: 'print what comes until the job has ended, and exit with its outcome' },
    timeout: {
      value: 'DURATION',
      type: 'duration',
      summary: 'with --follow: longest time for the whole wait',
    },
    server: { summary: "with --format html: the service's own rendering" },
    failed: { summary: 'every failed job of the build' },
    out: { short: 'O', value: 'FILE', summary: 'write it to a file; a folder with --failed' },
    build: { value: 'BUILD', summary: 'the build of JOB' },
  },
  examples: [
    'cictl job log hello/3#test --tail 50',
    'cictl job log test --build latest --follow --grep error -i --timestamps elapsed',
  ],
});
