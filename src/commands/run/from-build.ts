/** Implements `--from-build`: runs a job of any service as the only step of a local pipeline. */
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { git } from '../../common/git.ts';
import type { FoundJob } from '../../refs/find-job.ts';
import { resolveJob } from '../../refs/resolve.ts';
import {
  plainCommand,
  type CommandStep,
  type Json,
  type PluginUse,
} from '../../service/pipeline/plan.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import { jobTitle } from '../../watch/job-title.ts';
import type { NewRun, RunBuild } from './create.ts';
import { isStandard } from '../../service/pipeline/environment.ts';

/**
 * The requested job, or the only failed job of the build, with its command, environment and
 * plugins. Omits variables that describe the original machine, and prints a notice. Exit code 2 if
 * the job has no command or if several jobs failed.
 */
export async function stepFromBuild(
  buildText: string,
  step: string | undefined,
  { given, secrets }: GivenValues,
  context: Context,
): Promise<NewRun> {
  const found = await findRemote(buildText, step, context);
  if (!isCommand(found.job)) throw nothingToRun(found.job);
  const { jobs } = await context.client();
  const remote = (await jobs.env(found.ref)).env ?? {};
  const { variables, omitted } = portableVariables(remote);
  if (omitted.length > 0)
    context.messages.note(
      `omitted the variables of the machine that ran the job: ${omitted.join(', ')}`,
    );
  const folder = (await git.root(context.cwd)) ?? context.cwd;
  return {
    file: { name: buildText, path: folder, folder, text: '', isUsual: true },
    build: buildOf(found, variables, given),
    plan: {
      env: {},
      notices: [],
      steps: [
        { ...stepOf(found.job, { ...variables, ...given }, remote), secrets: asVariables(secrets) },
      ],
    },
  };
}

export interface GivenValues {
  /** From `--env`. */
  readonly given: Readonly<Record<string, string>>;
  /** From `--secret`. The step gets all secrets, as the service does not say which ones it used. */
  readonly secrets: Readonly<Record<string, string>>;
}

const asVariables = (secrets: GivenValues['secrets']): CommandStep['secrets'] =>
  Object.keys(secrets).map((key) => ({ key, variable: key }));

function findRemote(build: string, step: string | undefined, context: Context): Promise<FoundJob> {
  // Ignore a surrounding job and never prompt, so that a command line always has the same meaning.
  const surroundings = { ...context, prompts: { ...context.prompts, available: false } };
  const candidates = { word: 'failed', test: isFailedJob };
  const options = { mutates: false, build, candidates, preferred: isFailedJob };
  return resolveJob(surroundings, step, options);
}

/** Jobs of other types have no environment. */
const isCommand = ({ type }: Job): boolean => type === undefined || type === 'script';

const nothingToRun = (job: Job) =>
  usageError(`job "${jobTitle(job)}" has no command and no plugins to run`);

function stepOf(
  job: Job,
  variables: Readonly<Record<string, string>>,
  remote: Readonly<Record<string, unknown>>,
): CommandStep {
  const command = job.command ?? '';
  const plugins = usedPlugins(remote['BUILDKITE_PLUGINS']);
  if (command.trim() === '' && plugins.length === 0) throw nothingToRun(job);
  const { parallel_group_index: index, parallel_group_total: total } = job;
  return {
    ...plainCommand,
    ...{ definition: 0, line: 1, command, plugins, env: variables },
    key: job.step_key || null,
    artifactPaths: job.artifact_paths || null,
    label: job.name ?? job.label ?? null,
    parallel: typeof index === 'number' && typeof total === 'number' ? { index, total } : null,
  };
}

function buildOf(
  { build }: FoundJob,
  variables: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): RunBuild {
  const { commit, branch, message } = build;
  const pull = pullRequestOf(build);
  const tag = variables['BUILDKITE_TAG'];
  return {
    ...{ commit: commit || 'HEAD', branch: branch || 'main', message: message ?? '' },
    ...authorOf(build),
    ...pull,
    env: { ...(tag && { BUILDKITE_TAG: tag }), ...env },
  };
}

function pullRequestOf({ pull_request: pull }: FoundJob['build']): Partial<RunBuild> {
  const { id, base, repository } = (pull ?? {}) as Readonly<Record<string, unknown>>;
  if (!Number.isSafeInteger(Number(id)) || Number(id) < 1) return {};
  return {
    pull_request_id: Number(id),
    ...(typeof base === 'string' && { pull_request_base_branch: base }),
    ...(typeof repository === 'string' && { pull_request_repository: repository }),
  };
}

function authorOf({ author }: FoundJob['build']): Pick<RunBuild, 'author'> {
  const { name, email } = (author ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') return {};
  return { author: { name, email: typeof email === 'string' ? email : '' } };
}

interface Portable {
  readonly variables: Readonly<Record<string, string>>;
  /** Names of omitted variables for which the user has not given a new value. */
  readonly omitted: readonly string[];
}

/**
 * The variables of a job that have the same meaning on another machine. Variables that every job
 * has are dropped silently. Paths, tokens and variables of the agent are listed in `omitted`.
 */
export function portableVariables(env: Readonly<Record<string, unknown>>): Portable {
  const variables: Record<string, string> = {};
  const omitted: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (typeof value !== 'string' || (isStandard(name) && !isOfAgent(name))) continue;
    if (isOfAgent(name) || ofMachine.has(name)) omitted.push(name);
    else variables[name] = value;
  }
  return { variables, omitted };
}

const ofMachine = new Set(
  'HOME PATH PWD OLDPWD USER LOGNAME SHELL SHLVL TMPDIR TMP TEMP TERM HOSTNAME SSH_AUTH_SOCK _'.split(
    ' ',
  ),
);

const isOfAgent = (name: string): boolean =>
  /^CICTL_|^BUILDKITE_(?:AGENT|GIT|HOOKS|SHELL|ENV_FILE|CONFIG)(?:_|$)|^BUILDKITE_\w*(?:TOKEN|PATH|SOCKET|_DIR)S?$/.test(
    name,
  ) && name !== 'BUILDKITE_ARTIFACT_PATHS';

/**
 * Parses `BUILDKITE_PLUGINS` of a job: a JSON list of URLs, or of objects whose only key is the
 * URL. Returns an empty list if the variable is missing or null.
 */
export function usedPlugins(text: unknown): PluginUse[] {
  if (typeof text !== 'string' || text.trim() === '') return [];
  const list = parse(text);
  if (list === null) return [];
  if (!Array.isArray(list)) throw unreadable(text);
  return (list as Json[]).flatMap((entry) => {
    if (typeof entry === 'string') return [{ source: entry, config: null }];
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw unreadable(text);
    return Object.entries(entry).map(([source, config]) => ({ source, config: config }));
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(text);
  }
}

const unreadable = (text: string) =>
  usageError(`the job's BUILDKITE_PLUGINS is not a list of plugins: ${text.slice(0, 80)}`);
