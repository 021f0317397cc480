export interface Habit {
  /** The typed words, with the noun in its usual form: `job cancel`. */
  readonly typed: string;
  /** The words of the command, with flags if it needs them. */
  readonly meant: string;
  /** Used if the first argument is a build, which follows these words. */
  readonly ofBuild?: string;
  /** Used if the first argument is a job of a build: `web/141#unit`. */
  readonly ofJob?: string;
  /** Used if another argument follows. */
  readonly ofOther?: string;
  /** Only applies with this flag, which is replaced. */
  readonly flag?: string;
  /** An explanation for the user. */
  readonly why?: string;
}

const wordHabits = (
  typed: string,
  meant: string,
  more: Omit<Habit, 'typed' | 'meant'> = {},
): Habit[] => typed.split(', ').map((words) => ({ typed: words, meant, ...more }));

const ofJob = { ofJob: 'job view' };
const ofLog = { ofBuild: 'job log --build' };
const logOfFailed = { ofBuild: 'job log --failed --build' };
const ofRetry = { ofBuild: 'job retry --failed --build' };
const noJobCancel = { why: 'a job alone cannot be canceled, its build can' };
const noPipelines = {
  ofOther: 'builds list',
  why: 'the API has no pipelines of its own, only their builds',
};
const noPulls = { why: 'builds are found by number or branch, not by pull request' };

export const habits: readonly Habit[] = [
  ...wordHabits('rerun, rebuild, builds rerun, builds rebuild, run rerun', 'job retry --failed', {
    flag: '--failed',
    ...ofRetry,
  }),
  ...wordHabits('view, builds view, run view', 'job log --failed', {
    flag: '--log-failed',
    ...logOfFailed,
  }),
  ...wordHabits('view, builds view, run view', 'job log', { flag: '--log', ...ofLog }),
  ...wordHabits('logs, log, builds log, builds logs, job logs, tail', 'job log', ofLog),
  ...wordHabits('follow, job follow, job tail, job watch', 'job log --follow', {
    ofBuild: 'builds watch',
  }),
  ...wordHabits('watch, wait, builds wait, builds follow, builds tail', 'builds watch'),
  ...wordHabits('view, show, open, describe, info, inspect', 'builds view', ofJob),
  ...wordHabits('browse, builds open, builds browse', 'builds view --web', {
    ofJob: 'job view --web',
  }),
  ...wordHabits('job open, job browse', 'job view --web'),
  ...wordHabits('list, ls, history, builds history, runs', 'builds list'),
  ...wordHabits(
    'pipelines, pipelines list, pipeline, pipeline list',
    'builds list --all-pipelines',
    noPipelines,
  ),
  ...wordHabits(
    'pipelines create, pipeline create, pipelines add, pipeline add',
    'local pipeline add',
  ),
  ...wordHabits('pipelines view, pipeline view, pipelines show, pipeline show', 'builds list', {
    why: noPipelines.why,
  }),
  ...wordHabits('builds jobs, ps', 'job list'),
  ...wordHabits('retry, builds retry', 'job retry', ofRetry),
  ...wordHabits(
    'rerun, rebuild, restart, builds rerun, builds restart, job rebuild',
    'builds rebuild',
    {
      ofJob: 'job retry',
    },
  ),
  ...wordHabits('job rerun, job restart', 'job retry', ofRetry),
  ...wordHabits(
    'cancel, stop, abort, kill, builds stop, builds abort, builds kill',
    'builds cancel',
  ),
  ...wordHabits('job cancel, job stop, job kill, job abort', 'builds cancel', noJobCancel),
  ...wordHabits('new, create, trigger, start, builds trigger, builds start', 'builds create'),
  ...wordHabits(
    'unblock, approve, release, builds unblock, builds approve, job approve',
    'job unblock',
    {
      ofBuild: 'job unblock --build',
    },
  ),
  ...wordHabits(
    'failures, failed, errors, why, builds errors, builds why, job failures',
    'builds failures',
  ),
  ...wordHabits('env, builds env, job environment', 'job env', { ofBuild: 'job env --build' }),
  ...wordHabits('login, auth refresh, configure', 'auth login'),
  ...wordHabits('logout', 'auth logout'),
  ...wordHabits('whoami, auth whoami, me, user, auth view, auth show', 'auth status'),
  ...wordHabits('status', 'auth status', {
    ofBuild: 'builds view',
    ...ofJob,
    why: 'auth status is about the token, local status about the built-in service, builds view about a build',
  }),
  ...wordHabits('builds status', 'builds view'),
  ...wordHabits('job status', 'job view'),
  ...wordHabits('version, builds version', '--version'),
  ...wordHabits('config, config list, config view, config show, config get', 'profile view', {
    ofOther: 'profile view --fields',
  }),
  ...wordHabits('config set', 'profile set'),
  ...wordHabits('switch, use, auth switch, profile switch', 'profile use'),
  ...wordHabits('auth list, config profiles', 'profile list'),
  ...wordHabits('profile add, profile create, profile new', 'auth login --profile'),
  ...wordHabits('up', 'local up'),
  ...wordHabits('down', 'local down'),
  ...wordHabits(
    'artifacts, artifacts list, artifact, artifact list, builds artifacts, job artifacts',
    'local artifacts',
  ),
  ...wordHabits('artifacts download, artifact download, download', 'local artifacts download'),
  ...wordHabits(
    'agents, agents list, agent, agent list, queues, queue, queues list, queue list, stats, top',
    'metrics',
  ),
  ...wordHabits('comment, annotations add, annotations new', 'annotate'),
  ...wordHabits('organizations, organization, organizations list, organization list', 'orgs list'),
  ...wordHabits('organization view, organizations view', 'orgs view'),
  ...wordHabits('orgs switch, orgs use, orgs set', 'profile set org'),
  ...wordHabits('pr checks, pr view, pr status', 'builds view', noPulls),
  ...wordHabits('ci list, workflow view', 'builds list'),
  ...wordHabits('ci, ci status, ci view, ci get', 'builds view'),
  ...wordHabits('ci trace, ci log, ci logs', 'job log', ofLog),
  ...wordHabits('ci retry', 'job retry', ofRetry),
  ...wordHabits('ci cancel', 'builds cancel'),
  ...wordHabits('ci run, ci trigger, workflow run', 'builds create'),
  ...wordHabits('workflow, workflow list', 'builds list --all-pipelines', noPipelines),
  ...wordHabits('run list', 'builds list'),
  ...wordHabits('run view', 'builds view', ofJob),
  ...wordHabits('run watch', 'builds watch'),
  ...wordHabits('run cancel', 'builds cancel'),
  ...wordHabits('run rerun', 'builds rebuild', { ofJob: 'job retry' }),
  ...wordHabits('gql, query', 'graphql'),
  ...wordHabits('curl, request, rest', 'api'),
];

/** Program names that are typed after our own. */
export const programs: readonly string[] = ['cictl', 'bk', 'gh', 'glab', 'buildkite-agent'];

/** Synonyms: the first verb that the noun has is used. */
export const verbs: Readonly<Record<string, readonly string[]>> = {
  ...{ show: ['view'], get: ['view'], describe: ['view'], info: ['view'], inspect: ['view'] },
  ...{ add: ['create'], new: ['create'], start: ['up'], stop: ['down'], log: ['logs'] },
  ...{ rm: ['delete', 'remove'], del: ['delete', 'remove'], drop: ['delete', 'remove'] },
  ...{ remove: ['delete'], delete: ['remove'], revoke: ['delete'], unset: ['remove'] },
  ...{ all: ['list'], index: ['list'], switch: ['use'], approve: ['unblock'], rerun: ['retry'] },
};

interface FlagHabit {
  readonly typed: string;
  /** The first flag that the command has is used; an empty string removes the flag. */
  readonly meant: readonly string[];
  /** The value is dropped, and this explanation is shown instead. */
  readonly why?: string;
}

const flagHabit = (typed: string, ...meant: string[]): FlagHabit[] =>
  typed.split(', ').map((flag) => ({ typed: flag, meant }));

/** The build is an argument of the command: `--build 12` is `12`. */
export const asArgument = 'ARGUMENT';

export const flagHabits: readonly FlagHabit[] = [
  ...flagHabit('-w', '--web', '--watch'),
  ...flagHabit('--browser, --open', '--web'),
  ...flagHabit('--wait', '--watch'),
  ...flagHabit('-f', '--follow', '--yes'),
  ...flagHabit('--force', '--yes'),
  ...flagHabit('--tail, --stream', '--follow'),
  ...flagHabit('-R, --repo, --workflow, --project', '--pipeline'),
  ...flagHabit('--organization, --organisation, --owner, -O', '--org'),
  ...flagHabit('-n, --count, --max, --max-count, --per-page', '--limit', '--tail', '--lines'),
  ...flagHabit('--limit, --lines, --last', '--limit', '--tail', '--lines'),
  ...flagHabit('--first', '--limit', '--head'),
  ...flagHabit('--since, --after, --from, --newer-than', '--created-from'),
  ...flagHabit('--until, --before, --to, --older-than', '--created-to'),
  ...flagHabit('--mine, --me, --my', '--creator me'),
  ...flagHabit('--author, --user, -u, --actor, --by', '--creator'),
  ...flagHabit('-s, --status, --result, --conclusion', '--state'),
  ...flagHabit('--failed, --failing', '--state failed'),
  ...['running', 'passed', 'blocked', 'canceled', 'scheduled', 'finished'].flatMap((state) =>
    flagHabit(`--${state}`, `--state ${state}`),
  ),
  ...flagHabit('--ref', '--branch', '--commit'),
  ...flagHabit('--sha, --rev, --revision', '--commit'),
  ...flagHabit('--msg, --title', '--message'),
  ...flagHabit('--meta, --metadata', '--meta-data'),
  ...flagHabit('--variable, --var', '--env'),
  ...flagHabit('--retried, --all-jobs, --include-retried', '--include-retried-jobs'),
  ...flagHabit('--log-failed', '--failed'),
  ...flagHabit('--search, --filter, --pattern', '--grep'),
  ...flagHabit('--section, --step-group', '--group'),
  ...flagHabit('-a, --no-limit, --unlimited', '--all'),
  ...flagHabit('-t', '--jq'),
  ...flagHabit('--query, -q', '--jq'),
  ...flagHabit('--format', '--output'),
  ...flagHabit('-j', '--json'),
  ...flagHabit('-v, --verbose, --trace', '--debug'),
  ...flagHabit('--silent', '--quiet'),
  ...flagHabit('--no-prompt, --non-interactive, --batch', '--no-input'),
  ...flagHabit('--no-colour, --no-ansi', '--no-color'),
  ...flagHabit('--assume-yes, --confirm', '--yes'),
  ...flagHabit('--dryrun', '--dry-run'),
  ...flagHabit('--exit-status, --interactive', ''),
  {
    ...{ typed: '--token', meant: ['--with-token', ''] },
    why: 'no flag carries a token: it comes from CICTL_TOKEN, or from auth login',
  },
  ...flagHabit('--build, --build-number, -b, --number', asArgument, '--build'),
  ...flagHabit('--job, --job-id', asArgument),
];
