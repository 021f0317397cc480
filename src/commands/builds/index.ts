import { build } from '../../api/resources/build.ts';
import { buildStates } from '../../api/resources/states.ts';
import { command } from '../../command/command.ts';
import { statsResource } from '../../stats/stats-resource.ts';
import { reportResource } from '../../triage/report-resource.ts';
import { webFlags } from '../web-flags.ts';
import { buildReport } from './report/resource.ts';
import { watchFlags } from '../../watch/watch-flags.ts';

const aBuild = {
  build: { suggests: 'builds', summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or an address' },
} as const;

const filterOptions = {
  state: {
    short: 's',
    value: 'STATE',
    choices: [...buildStates, 'finished'],
    repeat: true,
    summary: 'only builds in this state',
  },
  branch: {
    short: 'b',
    value: 'BRANCH',
    suggests: 'branches',
    repeat: true,
    summary: 'only builds of this branch',
  },
  commit: { short: 'c', value: 'COMMIT', repeat: true, summary: 'only builds of this commit' },
  creator: { value: 'USER-ID|me', summary: 'only builds that this user created' },
  createdFrom: { value: 'TIME', summary: 'created at this time or later' },
  createdTo: { value: 'TIME', summary: 'created before this time' },
  finishedFrom: { value: 'TIME', summary: 'finished at this time or later' },
  metaData: { value: 'K=V', repeat: true, summary: 'only builds with this meta-data' },
} as const;

const widerScope = {
  allPipelines: { summary: 'all pipelines of the organization' },
  allOrgs: { summary: 'all organizations of the token' },
} as const;

export const buildsList = command({
  name: 'builds list',
  summary: 'List builds, newest first',
  details: 'Lists the pipeline where one is known, else the organization, else all.',
  arguments: { target: { suggests: 'targets', summary: 'PIPELINE, ORG/PIPELINE or an address' } },
  options: {
    ...filterOptions,
    includeRetriedJobs: { summary: 'jobs include those that were retried' },
    limit: { short: 'L', value: 'N', type: 'integer', fallback: '30', summary: 'at most N builds' },
    all: { summary: 'all builds, however many pages' },
    numbers: { summary: 'numbers alone, a line each; over several pipelines PIPELINE/N' },
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
    includeRetriedJobs: { summary: 'jobs include those that were retried' },
    summary: { summary: 'what became of it in a few lines; in a pipe a JSON document' },
    ...webFlags,
  },
  examples: ['cictl builds view latest', 'cictl builds view hello/3 --jq .state'],
  resource: build,
  paged: true,
});

export const buildsCreate = command({
  name: 'builds create',
  summary: 'Create a build',
  details: 'Commit and branch default to those of the git checkout.',
  options: {
    commit: { short: 'c', value: 'COMMIT', summary: 'SHA, ref or tag to build, sent as typed' },
    branch: {
      short: 'b',
      value: 'BRANCH',
      suggests: 'branches',
      summary: 'branch that the commit belongs to',
    },
    message: { short: 'm', value: 'TEXT', summary: 'message of the build' },
    author: { value: '"NAME <MAIL>"', summary: 'author of the build' },
    env: {
      short: 'e',
      value: 'K=V',
      repeat: true,
      summary: 'variable; K alone takes its value here',
    },
    envFrom: { value: 'FILE', summary: 'variables from a dotenv file' },
    metaData: { value: 'K=V', repeat: true, summary: 'meta-data of the build' },
    cleanCheckout: { summary: 'force a fresh checkout' },
    ignoreBranchFilters: { summary: "ignore the pipeline's branch filters" },
    prId: { value: 'N', type: 'integer', summary: 'number of the pull request' },
    prBaseBranch: {
      value: 'BRANCH',
      suggests: 'branches',
      summary: 'base branch of the pull request',
    },
    prRepository: { value: 'URL', summary: 'repository of the pull request' },
    body: { value: 'JSON|@FILE', summary: 'the whole request body, in place of these flags' },
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
  details: 'With --watch a build that was canceled, as it should be, is exit code 3.',
  arguments: {
    build: {
      suggests: 'unfinished builds',
      summary: 'N, PIPELINE/N, ORG/PIPELINE/N or an address',
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
  summary: 'Create a build like an earlier one',
  arguments: {
    build: { suggests: 'builds', summary: 'N, PIPELINE/N, ORG/PIPELINE/N or an address' },
  },
  options: watchFlags,
  examples: ['cictl builds rebuild hello/3', 'cictl builds rebuild latest -p hello'],
  resource: build,
  mutates: true,
});

export const buildsWatch = command({
  name: 'builds watch',
  summary: 'Watch a build until it settles; its outcome is the exit code',
  details:
    'Without BUILD: the newest build of the commit that is checked out, as soon as there is one.\n' +
    'Exits with 0 passed, 1 failed, 3 canceled, 4 blocked, 5 skipped or not run, 124 timed out.',
  arguments: aBuild,
  options: {
    interval: {
      short: 'i',
      value: 'DURATION',
      type: 'duration',
      fallback: '1s to 15s, as things happen',
      summary: 'time between two looks',
    },
    timeout: { value: 'DURATION', type: 'duration', summary: 'longest time for the whole wait' },
    commit: { value: 'COMMIT', summary: 'the newest build of this commit, in place of BUILD' },
    failFast: { summary: 'end as soon as the build is certain to fail' },
    allowBlocked: { summary: 'judge a blocked build by its state' },
    allowSkipped: { summary: 'a build that is skipped or not run is fine' },
    logs: { summary: 'show the end of the log of each job that fails' },
    bell: { summary: 'sound the bell of the terminal at the end' },
    maxOutage: {
      value: 'DURATION',
      type: 'duration',
      fallback: '30m',
      summary: 'longest time for which the service may be out of reach',
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
    'Shows what failed, what merely followed, the lines of each failed log that say why, errors\n' +
    'and warnings of annotations, and retries. In a pipe: a row a failed job, or --json, or\n' +
    '--markdown. Whatever a limit cuts is marked as truncated.',
  arguments: aBuild,
  options: {
    lines: {
      value: 'N',
      type: 'integer',
      fallback: '50',
      summary: 'lines of each log, 0 for none',
    },
    maxJobs: { value: 'N', type: 'integer', fallback: '10', summary: 'at most N failed jobs' },
    maxLineBytes: { value: 'N', type: 'integer', fallback: '4096', summary: 'of one line' },
    maxJobBytes: { value: 'N', type: 'integer', fallback: '65536', summary: 'of one log' },
    maxBytes: {
      value: 'N',
      type: 'integer',
      fallback: '131072',
      summary: 'of all logs and annotations together',
    },
    commit: { value: 'COMMIT', summary: 'the newest build of this commit, in place of BUILD' },
    markdown: { summary: 'as Markdown, for a comment or a prompt' },
  },
  examples: ['cictl builds failures hello/3', 'cictl builds failures latest -p hello --markdown'],
  resource: reportResource,
  paged: true,
});

export const buildsReport = command({
  name: 'builds report',
  summary: 'Write a build as one HTML page, to send or to keep',
  details:
    'The page holds what failed and why, how long each job waited and ran, annotations and logs,\n' +
    'and loads nothing from anywhere. On a terminal it becomes PIPELINE-N.html, in a pipe it goes\n' +
    'to standard output. With --json, -o, --fields or --jq: the data behind it.',
  arguments: aBuild,
  options: {
    out: { short: 'O', value: 'FILE', summary: 'write it to this file; - is standard output' },
    logs: {
      value: 'WHICH',
      choices: ['failed', 'all', 'none'],
      fallback: 'failed',
      summary: 'the jobs whose logs are on the page',
    },
    maxBytes: {
      value: 'N',
      type: 'integer',
      fallback: '4194304',
      summary: 'of excerpts, annotations and logs together',
    },
    open: { summary: 'open it in a browser' },
  },
  examples: [
    'cictl builds report hello/3 -O report.html',
    'cictl builds report latest -p hello --logs all --open',
  ],
  resource: buildReport,
});

export const buildsStats = command({
  name: 'builds stats',
  summary: 'Show how often builds pass, how long they take, and why',
  details:
    'Of the newest 100 finished builds of the default branch; --branch names another one. Of each\n' +
    'step also its share of the critical path, and whether it failed and then passed at the same\n' +
    'commit or by a retry. In a pipe: a row for whole builds, then one a step, or --json.',
  arguments: { target: { suggests: 'targets', summary: 'PIPELINE, ORG/PIPELINE or an address' } },
  options: {
    ...filterOptions,
    includeRetriedJobs: { summary: 'jobs that were retried count in any case' },
    limit: { short: 'L', value: 'N', type: 'integer', fallback: '100', summary: 'of N builds' },
    all: { summary: 'of all builds, however many pages' },
    ...widerScope,
    html: {
      value: 'FILE',
      summary: 'write it to a file, as a page for a browser; - is standard output',
    },
  },
  examples: [
    'cictl builds stats hello',
    'cictl builds stats hello --created-from 30d --html out.html',
  ],
  resource: statsResource,
  paged: true,
});
