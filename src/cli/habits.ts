export interface Habit {
  /** What the user typed, with the noun in its usual form: `job cancel`. */
  readonly typed: string;
  /** The words of the intended command, and flags if it needs any. */
  readonly meant: string;
  /** Replaces `meant` if the first argument is a build. The build is added at the end. */
  readonly ofBuild?: string;
  /** Replaces `meant` if the first argument is a job with its build, such as `web/141#unit`. */
  readonly ofJob?: string;
  /** Replaces `meant` if there is one argument of another kind. */
  readonly ofOther?: string;
  /** The habit only applies if this flag is given. `meant` replaces the flag. */
  readonly flag?: string;
  /** An explanation for the user, added to the hint. */
  readonly why?: string;
}

const ofJob = { ofJob: 'job view' };
const ofLog = { ofBuild: 'job log --build' };
const logOfFailed = { ofBuild: 'job log --failed --build' };
const ofRetry = { ofBuild: 'job retry --failed --build' };
const noJobCancel = { why: 'a single job cannot be canceled, only the whole build' };
const noPipelines = {
  ofOther: 'builds list',
  why: 'the API cannot list pipelines, only their builds',
};
const noPulls = { why: 'builds are found by number or branch, not by pull request' };

const habitRows: readonly (readonly [string, string, Omit<Habit, 'typed' | 'meant'>?])[] = [
  [
    'rerun, rebuild, builds rerun, builds rebuild, run rerun',
    'job retry --failed',
    { flag: '--failed', ...ofRetry },
  ],
  ['view, builds view, run view', 'job log --failed', { flag: '--log-failed', ...logOfFailed }],
  ['view, builds view, run view', 'job log', { flag: '--log', ...ofLog }],
  ['logs, log, builds log, builds logs, job logs, tail', 'job log', ofLog],
  ['follow, job follow, job tail, job watch', 'job log --follow', { ofBuild: 'builds watch' }],
  ['watch, wait, builds wait, builds follow, builds tail', 'builds watch'],
  ['view, show, open, describe, info, inspect', 'builds view', ofJob],
  ['browse, builds open, builds browse', 'builds view --web', { ofJob: 'job view --web' }],
  ['job open, job browse', 'job view --web'],
  ['list, ls, history, builds history, runs', 'builds list'],
  [
    'pipelines, pipelines list, pipeline, pipeline list',
    'builds list --all-pipelines',
    noPipelines,
  ],
  ['pipelines create, pipeline create, pipelines add, pipeline add', 'local pipeline add'],
  [
    'pipelines view, pipeline view, pipelines show, pipeline show',
    'builds list',
    { why: noPipelines.why },
  ],
  ['builds jobs, ps', 'job list'],
  ['retry, builds retry', 'job retry', ofRetry],
  [
    'rerun, rebuild, restart, builds rerun, builds restart, job rebuild',
    'builds rebuild',
    { ofJob: 'job retry' },
  ],
  ['job rerun, job restart', 'job retry', ofRetry],
  ['cancel, stop, abort, kill, builds stop, builds abort, builds kill', 'builds cancel'],
  ['job cancel, job stop, job kill, job abort', 'builds cancel', noJobCancel],
  ['new, create, trigger, start, builds trigger, builds start', 'builds create'],
  [
    'unblock, approve, release, builds unblock, builds approve, job approve',
    'job unblock',
    { ofBuild: 'job unblock --build' },
  ],
  ['failures, failed, errors, why, builds errors, builds why, job failures', 'builds failures'],
  ['env, builds env, job environment', 'job env', { ofBuild: 'job env --build' }],
  ['login, auth refresh, configure', 'auth login'],
  ['logout', 'auth logout'],
  ['whoami, auth whoami, me, user, auth view, auth show', 'auth status'],
  [
    'status',
    'auth status',
    {
      ofBuild: 'builds view',
      ...ofJob,
      why: 'for the token, use auth status; for the local service, local status; for a build, builds view',
    },
  ],
  ['builds status', 'builds view'],
  ['job status', 'job view'],
  ['version, builds version', '--version'],
  [
    'config, config list, config view, config show, config get',
    'profile view',
    { ofOther: 'profile view --fields' },
  ],
  ['config set', 'profile set'],
  ['switch, use, auth switch, profile switch', 'profile use'],
  ['auth list, config profiles', 'profile list'],
  ['profile add, profile create, profile new', 'auth login --profile'],
  ['up', 'local up'],
  ['down', 'local down'],
  [
    'artifacts, artifacts list, artifact, artifact list, builds artifacts, job artifacts',
    'local artifacts',
  ],
  ['artifacts download, artifact download, download', 'local artifacts download'],
  [
    'agents, agents list, agent, agent list, queues, queue, queues list, queue list, stats, top',
    'metrics',
  ],
  ['comment, annotations add, annotations new', 'annotate'],
  ['organizations, organization, organizations list, organization list', 'orgs list'],
  ['organization view, organizations view', 'orgs view'],
  ['orgs switch, orgs use, orgs set', 'profile set org'],
  ['pr checks, pr view, pr status', 'builds view', noPulls],
  ['ci list, workflow view', 'builds list'],
  ['ci, ci status, ci view, ci get', 'builds view'],
  ['ci trace, ci log, ci logs', 'job log', ofLog],
  ['ci retry', 'job retry', ofRetry],
  ['ci cancel', 'builds cancel'],
  ['ci run, ci trigger, workflow run', 'builds create'],
  ['workflow, workflow list', 'builds list --all-pipelines', noPipelines],
  ['run list', 'builds list'],
  ['run view', 'builds view', ofJob],
  ['run watch', 'builds watch'],
  ['run cancel', 'builds cancel'],
  ['run rerun', 'builds rebuild', { ofJob: 'job retry' }],
  ['gql, query', 'graphql'],
  ['curl, request, rest', 'api'],
];

export const habits = habitRows.flatMap(([typed, meant, more]): Habit[] =>
  typed.split(', ').map((words) => ({ typed: words, meant, ...more })),
);

/** Program names that users may type after ours: `cictl gh run list`. */
export const programs: readonly string[] = ['cictl', 'bk', 'gh', 'glab', 'buildkite-agent'];

/** Verbs that a synonym may stand for. The first one that the noun supports is used. */
export const verbs: Readonly<Record<string, readonly string[]>> = {
  ...{ show: ['view'], get: ['view'], describe: ['view'], info: ['view'], inspect: ['view'] },
  ...{ add: ['create'], new: ['create'], start: ['up'], stop: ['down'], log: ['logs'] },
  ...{ rm: ['delete', 'remove'], del: ['delete', 'remove'], drop: ['delete', 'remove'] },
  ...{ remove: ['delete'], delete: ['remove'], revoke: ['delete'] },
  ...{ all: ['list'], index: ['list'], switch: ['use'], approve: ['unblock'], rerun: ['retry'] },
};

interface FlagHabit {
  readonly typed: string;
  /** The first of these flags that the command supports is used; '' removes the flag. */
  readonly meant: readonly string[];
  /** If set, the flag's value is dropped and this explanation is shown. */
  readonly why?: string;
}

/** The command takes the build as an argument: `--build 12` becomes `12`. */
export const asArgument = 'ARGUMENT';

const flagRows: readonly (readonly [string, ...string[]])[] = [
  ...['running', 'passed', 'blocked', 'canceled', 'scheduled', 'finished'].map(
    (state) => [`--${state}`, `--state ${state}`] as const,
  ),
  ['-w', '--web', '--watch'],
  ['--browser, --open', '--web'],
  ['--wait', '--watch'],
  ['-f', '--follow', '--yes'],
  ['--force', '--yes'],
  ['--tail, --stream', '--follow'],
  ['-R, --repo, --workflow, --project', '--pipeline'],
  ['--organization, --organisation, --owner, -O', '--org'],
  ['-n, --count, --max, --max-count, --per-page', '--limit', '--tail', '--lines'],
  ['--limit, --lines, --last', '--limit', '--tail', '--lines'],
  ['--first', '--limit', '--head'],
  ['--since, --after, --from, --newer-than', '--created-from'],
  ['--until, --before, --to, --older-than', '--created-to'],
  ['--mine, --me, --my', '--creator me'],
  ['--author, --user, -u, --actor, --by', '--creator'],
  ['-s, --status, --result, --conclusion', '--state'],
  ['--failed, --failing', '--state failed'],
  ['--ref', '--branch', '--commit'],
  ['--sha, --rev, --revision', '--commit'],
  ['--msg, --title', '--message'],
  ['--meta, --metadata', '--meta-data'],
  ['--variable, --var', '--env'],
  ['--retried, --all-jobs, --include-retried', '--include-retried-jobs'],
  ['--log-failed', '--failed'],
  ['--search, --filter, --pattern', '--grep'],
  ['--section, --step-group', '--group'],
  ['-a, --no-limit, --unlimited', '--all'],
  ['-t', '--jq'],
  ['--query, -q', '--jq'],
  ['--format', '--output'],
  ['-j', '--json'],
  ['-v, --verbose, --trace', '--debug'],
  ['--silent', '--quiet'],
  ['--no-prompt, --non-interactive, --batch', '--no-input'],
  ['--no-colour, --no-ansi', '--no-color'],
  ['--assume-yes, --confirm', '--yes'],
  ['--dryrun', '--dry-run'],
  ['--exit-status, --interactive', ''],
  ['--build, --build-number, -b, --number', asArgument, '--build'],
  ['--job, --job-id', asArgument],
];

export const flagHabits: readonly FlagHabit[] = [
  ...flagRows.flatMap(([typed, ...meant]) =>
    typed.split(', ').map((flag) => ({ typed: flag, meant })),
  ),
  {
    ...{ typed: '--token', meant: ['--with-token', ''] },
    why: 'a token cannot be passed as a flag; use CICTL_TOKEN or auth login',
  },
];
