/** What hands type from other tools or out of habit, and the words of this tool. */

export interface Habit {
  /** The words as typed, a noun in its usual form: `job cancel`. */
  readonly typed: string;
  /** The words of the command, with flags where it needs them. */
  readonly meant: string;
  /** The same where the first argument names a build: it stands behind these words. */
  readonly ofBuild?: string;
  /** The same where the first argument names a job of a build: `web/141#unit`. */
  readonly ofJob?: string;
  /** The same where any other argument follows. */
  readonly ofOther?: string;
  /** Only where this flag is typed, too; the words here have it, or one in its place. */
  readonly flag?: string;
  /** What the user should know beside the command. */
  readonly why?: string;
}

const row = (typed: string, meant: string, more: Omit<Habit, 'typed' | 'meant'> = {}): Habit[] =>
  typed.split(', ').map((words) => ({ typed: words, meant, ...more }));

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
  ...row('rerun, rebuild, builds rerun, builds rebuild, run rerun', 'job retry --failed', {
    flag: '--failed',
    ...ofRetry,
  }),
  ...row('view, builds view, run view', 'job log --failed', {
    flag: '--log-failed',
    ...logOfFailed,
  }),
  ...row('view, builds view, run view', 'job log', { flag: '--log', ...ofLog }),
  ...row('logs, log, builds log, builds logs, job logs, tail', 'job log', ofLog),
  ...row('follow, job follow, job tail, job watch', 'job log --follow', {
    ofBuild: 'builds watch',
  }),
  ...row('watch, wait, builds wait, builds follow, builds tail', 'builds watch'),
  ...row('view, show, open, describe, info, inspect', 'builds view', ofJob),
  ...row('browse, builds open, builds browse', 'builds view --web', { ofJob: 'job view --web' }),
  ...row('job open, job browse', 'job view --web'),
  ...row('list, ls, history, builds history, runs', 'builds list'),
  ...row(
    'pipelines, pipelines list, pipeline, pipeline list',
    'builds list --all-pipelines',
    noPipelines,
  ),
  ...row('pipelines create, pipeline create, pipelines add, pipeline add', 'local pipeline add'),
  ...row('pipelines view, pipeline view, pipelines show, pipeline show', 'builds list', {
    why: noPipelines.why,
  }),
  ...row('builds jobs, ps', 'job list'),
  ...row('retry, builds retry', 'job retry', ofRetry),
  ...row('rerun, rebuild, restart, builds rerun, builds restart, job rebuild', 'builds rebuild', {
    ofJob: 'job retry',
  }),
  ...row('job rerun, job restart', 'job retry', ofRetry),
  ...row('cancel, stop, abort, kill, builds stop, builds abort, builds kill', 'builds cancel'),
  ...row('job cancel, job stop, job kill, job abort', 'builds cancel', noJobCancel),
  ...row('new, create, trigger, start, builds trigger, builds start', 'builds create'),
  ...row('unblock, approve, release, builds unblock, builds approve, job approve', 'job unblock', {
    ofBuild: 'job unblock --build',
  }),
  ...row(
    'failures, failed, errors, why, builds errors, builds why, job failures',
    'builds failures',
  ),
  ...row('env, builds env, job environment', 'job env', { ofBuild: 'job env --build' }),
  ...row('login, auth refresh, configure', 'auth login'),
  ...row('logout', 'auth logout'),
  ...row('whoami, auth whoami, me, user, auth view, auth show', 'auth status'),
  ...row('status', 'auth status', {
    ofBuild: 'builds view',
    ...ofJob,
    why: 'auth status is about the token, local status about the built-in service, builds view about a build',
  }),
  ...row('builds status', 'builds view'),
  ...row('job status', 'job view'),
  ...row('version, builds version', '--version'),
  ...row('config, config list, config view, config show, config get', 'profile view', {
    ofOther: 'profile view --fields',
  }),
  ...row('config set', 'profile set'),
  ...row('switch, use, auth switch, profile switch', 'profile use'),
  ...row('auth list, config profiles', 'profile list'),
  ...row('profile add, profile create, profile new', 'auth login --profile'),
  ...row('up', 'local up'),
  ...row('down', 'local down'),
  ...row(
    'artifacts, artifacts list, artifact, artifact list, builds artifacts, job artifacts',
    'local artifacts',
  ),
  ...row('artifacts download, artifact download, download', 'local artifacts download'),
  ...row(
    'agents, agents list, agent, agent list, queues, queue, queues list, queue list, stats, top',
    'metrics',
  ),
  ...row('comment, annotations add, annotations new', 'annotate'),
  ...row('organizations, organization, organizations list, organization list', 'orgs list'),
  ...row('organization view, organizations view', 'orgs view'),
  ...row('orgs switch, orgs use, orgs set', 'profile set org'),
  ...row('pr checks, pr view, pr status', 'builds view', noPulls),
  ...row('ci list, workflow view', 'builds list'),
  ...row('ci, ci status, ci view, ci get', 'builds view'),
  ...row('ci trace, ci log, ci logs', 'job log', ofLog),
  ...row('ci retry', 'job retry', ofRetry),
  ...row('ci cancel', 'builds cancel'),
  ...row('ci run, ci trigger, workflow run', 'builds create'),
  ...row('workflow, workflow list', 'builds list --all-pipelines', noPipelines),
  ...row('run list', 'builds list'),
  ...row('run view', 'builds view', ofJob),
  ...row('run watch', 'builds watch'),
  ...row('run cancel', 'builds cancel'),
  ...row('run rerun', 'builds rebuild', { ofJob: 'job retry' }),
  ...row('gql, query', 'graphql'),
  ...row('curl, request, rest', 'api'),
];

/** Programs whose command lines are typed behind our own name. */
export const programs: readonly string[] = ['cictl', 'bk', 'gh', 'glab', 'buildkite-agent'];

/** Verbs that mean one of the noun's own: the first that it has. */
export const verbs: Readonly<Record<string, readonly string[]>> = {
  ...{ show: ['view'], get: ['view'], describe: ['view'], info: ['view'], inspect: ['view'] },
  ...{ add: ['create'], new: ['create'], start: ['up'], stop: ['down'], log: ['logs'] },
  ...{ rm: ['delete', 'remove'], del: ['delete', 'remove'], drop: ['delete', 'remove'] },
  ...{ remove: ['delete'], delete: ['remove'], revoke: ['delete'], unset: ['remove'] },
  ...{ all: ['list'], index: ['list'], switch: ['use'], approve: ['unblock'], rerun: ['retry'] },
};
