import { build } from '../../api/resources/build.ts';
import { buildStates } from '../../api/resources/states.ts';
import { command } from '../../command/command.ts';
import { statsResource } from '../../stats/stats-resource.ts';
import { reportResource } from '../../triage/report-resource.ts';
import { webFlags } from '../web-flags.ts';
import { buildReport } from './report/resource.ts';
import { watchFlags } from '../../watch/watch-flags.ts';

const aBuild = {
  build: { suggests: 'builds', summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or a URL' },
} as const;

const filterOptions = {
  state: {
    short: 's',
    value: 'STATE',
    choices: [...buildStates, 'finished'],
    repeat: true,
    summary: 'filter by state',
  },
  branch: {
    short: 'b',
    value: 'BRANCH',
    suggests: 'branches',
    repeat: true,
    summary: 'filter by branch',
  },
  commit: { short: 'c', value: 'COMMIT', repeat: true, summary: 'filter by commit' },
  creator: { value: 'USER-ID|me', summary: 'filter by the user who created the build' },
  createdFrom: { value: 'TIME', summary: 'only builds created at this time or later' },
  createdTo: { value: 'TIME', summary: 'only builds created before this time' },
  finishedFrom: { value: 'TIME', summary: 'only builds finished at this time or later' },
  metaData: { value: 'K=V', repeat: true, summary: 'filter by meta-data' },
} as const;

const widerScope = {
  allPipelines: { summary: 'include all pipelines in the organization' },
  allOrgs: { summary: 'include all organizations that the token can access' },
} as const;

export const buildsList = command({
  name: 'builds list',
  summary: 'List builds, newest first',
  details:
    'Defaults to the current pipeline; without one, to the organization; without either, to all builds.',
  arguments: { target: { suggests: 'targets', summary: 'PIPELINE, ORG/PIPELINE or a URL' } },
  options: {
    ...filterOptions,
    includeRetriedJobs: { summary: 'include jobs that were retried' },
    limit: {
      short: 'L',
      value: 'N',
      type: 'integer',
      fallback: '30',
      summary: 'maximum number of builds',
    },
    all: { summary: 'fetch all builds' },
    numbers: { summary: 'print only build numbers, one per line' },
    ...widerScope,
  },
  examples: [
    'cictl builds list --state failed --created-from 7d',
    'cictl builds list --all-orgs --json --fields number,state,pipeline.slug',
  ],
  resource: build,
  paged: true,
});

export const buildsView = command({
  name: 'builds view',
  summary: 'Show a build with its jobs',
  arguments: aBuild,
  options: {
    includeRetriedJobs: { summary: 'include jobs that were retried' },
    summary: { summary: 'print a short summary (JSON when piped)' },
    ...webFlags,
  },
  examples: ['cictl builds view latest', 'cictl builds view hello/3 --jq .state'],
  resource: build,
  paged: true,
});

export const buildsCreate = command({
  name: 'builds create',
  summary: 'Create a build',
  details: 'Commit and branch default to HEAD and the branch of the checkout.',
  options: {
    commit: { short: 'c', value: 'COMMIT', summary: 'SHA, ref or tag to build, sent unchanged' },
    branch: {
      short: 'b',
      value: 'BRANCH',
      suggests: 'branches',
      summary: 'branch of the commit',
    },
    message: { short: 'm', value: 'TEXT', summary: 'build message' },
    author: { value: '"NAME <MAIL>"', summary: 'build author' },
    env: {
      short: 'e',
      value: 'K=V',
      repeat: true,
      summary: 'environment variable; without =V, its value is taken from your environment',
    },
    envFrom: { value: 'FILE', summary: 'read variables from a dotenv file' },
    metaData: { value: 'K=V', repeat: true, summary: 'build meta-data' },
    cleanCheckout: { summary: 'force a clean checkout' },
    ignoreBranchFilters: { summary: "ignore the pipeline's branch filters" },
    prId: { value: 'N', type: 'integer', summary: 'pull request number' },
    prBaseBranch: {
      value: 'BRANCH',
      suggests: 'branches',
      summary: 'pull request base branch',
    },
    prRepository: { value: 'URL', summary: 'pull request repository' },
    body: { value: 'JSON|@FILE', summary: 'complete request body, instead of these flags' },
    ...watchFlags,
  },
  examples: [
    'cictl builds create -p hello -c HEAD -b main -m "try it"',
    'cictl builds create -p hello --body @build.json --dry-run',
  ],
  resource: build,
  mutates: true,
});

export const buildsCancel = command({
  name: 'builds cancel',
  summary: 'Cancel builds',
  details: 'With --watch, exit code 3 means that the build was canceled as requested.',
  arguments: {
    build: {
      suggests: 'unfinished builds',
      summary: 'N, PIPELINE/N, ORG/PIPELINE/N or a URL',
      variadic: true,
    },
  },
  options: watchFlags,
  examples: ['cictl builds cancel hello/3', 'cictl builds cancel hello/3 hello/4 --yes'],
  resource: build,
  mutates: true,
});

export const buildsRebuild = command({
  name: 'builds rebuild',
  summary: 'Rebuild a build',
  arguments: {
    build: { suggests: 'builds', summary: 'N, PIPELINE/N, ORG/PIPELINE/N or a URL' },
  },
  options: watchFlags,
  examples: ['cictl builds rebuild hello/3', 'cictl builds rebuild latest -p hello'],
  resource: build,
  mutates: true,
});

export const buildsWatch = command({
  name: 'builds watch',
  summary: 'Watch a build until it settles',
  details:
    'Without BUILD, watches the newest build of the checked-out commit, waiting for one if necessary.\n\n' +
    'Exit codes: 0 passed, 1 failed, 3 canceled, 4 blocked, 5 skipped or not run, 124 timed out.',
  arguments: aBuild,
  options: {
    interval: {
      short: 'i',
      value: 'DURATION',
      type: 'duration',
      fallback: '1s to 15s, depending on activity',
      summary: 'polling interval',
    },
    timeout: { value: 'DURATION', type: 'duration', summary: 'maximum time to wait' },
    commit: { value: 'COMMIT', summary: 'watch the newest build of this commit' },
    failFast: { summary: 'stop as soon as the build is certain to fail' },
    allowBlocked: { summary: 'if the build is blocked, exit with the code for its state so far' },
    allowSkipped: { summary: 'exit with 0 if the build is skipped or not run' },
    logs: { summary: 'print the end of the log of each failed job' },
    bell: { summary: 'ring the terminal bell at the end' },
    maxOutage: {
      value: 'DURATION',
      type: 'duration',
      fallback: '30m',
      summary: 'maximum time the service may be unreachable',
    },
  },
  examples: [
    'cictl builds watch hello/3 --logs',
    'git push && cictl builds watch -p hello --fail-fast --timeout 1h',
  ],
});

export const buildsFailures = command({
  name: 'builds failures',
  summary: 'Explain why a build failed',
  details:
    'Prints each cause with its jobs and the log lines that explain it, jobs that did not run because of it, errors and warnings from annotations, and retries. When piped, prints one row per failed job; for other formats, use --json or --markdown. Truncated output is marked.',
  arguments: aBuild,
  options: {
    lines: {
      value: 'N',
      type: 'integer',
      fallback: '50',
      summary: 'lines per cause; 0 for none',
    },
    maxCauses: {
      value: 'N',
      type: 'integer',
      fallback: '20',
      summary: 'maximum number of causes',
    },
    maxJobs: { value: 'N', type: 'integer', summary: 'same as --max-causes', hidden: true },
    maxLineBytes: {
      value: 'N',
      type: 'integer',
      fallback: '4096',
      summary: 'maximum bytes per line',
    },
    maxJobBytes: {
      value: 'N',
      type: 'integer',
      fallback: '65536',
      summary: 'maximum bytes per log',
    },
    maxBytes: {
      value: 'N',
      type: 'integer',
      fallback: '131072',
      summary: 'maximum total bytes of logs and annotations',
    },
    commit: { value: 'COMMIT', summary: 'use the newest build of this commit' },
    listJobs: { summary: 'list all jobs of each cause' },
    markdown: { summary: 'print Markdown, for a comment or a prompt' },
  },
  examples: ['cictl builds failures hello/3', 'cictl builds failures latest -p hello --markdown'],
  resource: reportResource,
  paged: true,
});

export const buildsReport = command({
  name: 'builds report',
  summary: 'Write an HTML report of a build',
  details:
    'The report is one self-contained page with the failures and their causes, wait and run times of jobs, annotations and logs. On a terminal, it is written to PIPELINE-N.html; in a pipe, to standard output. With --json, -o, --fields or --jq, prints the data of the report.',
  arguments: aBuild,
  options: {
    out: { short: 'O', value: 'FILE', summary: 'output file; - for standard output' },
    logs: {
      value: 'WHICH',
      choices: ['failed', 'all', 'none'],
      fallback: 'failed',
      summary: 'logs to include',
    },
    maxBytes: {
      value: 'N',
      type: 'integer',
      fallback: '4194304',
      summary: 'maximum bytes of excerpts, annotations and logs',
    },
    open: { summary: 'open the report in a browser' },
  },
  examples: [
    'cictl builds report hello/3 -O report.html',
    'cictl builds report latest -p hello --logs all --open',
  ],
  resource: buildReport,
});

export const buildsStats = command({
  name: 'builds stats',
  summary: 'Show pass rates, durations and flaky steps',
  details:
    'Uses the newest 100 finished builds of the default branch, or of --branch. For each step, also shows its share of the critical path and whether it is flaky. When piped, prints one row for all builds and one per step; for all figures, use --json.',
  arguments: { target: { suggests: 'targets', summary: 'PIPELINE, ORG/PIPELINE or a URL' } },
  options: {
    ...filterOptions,
    includeRetriedJobs: { summary: 'no effect: retried jobs are always included' },
    limit: {
      short: 'L',
      value: 'N',
      type: 'integer',
      fallback: '100',
      summary: 'number of builds',
    },
    all: { summary: 'use all builds' },
    ...widerScope,
    html: {
      value: 'FILE',
      summary: 'write an HTML page to FILE; - for standard output',
    },
  },
  examples: [
    'cictl builds stats hello',
    'cictl builds stats hello --created-from 30d --html out.html',
  ],
  resource: statsResource,
  paged: true,
});
