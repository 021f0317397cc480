/** `--from-build`: a job of any service as the only step of a pipeline of this machine. */
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
 * The job that was asked for, else the only failed one of the build, with command, environment and
 * plugins. What belongs to the machine that ran it is left out, with a notice. Code 2 where the job
 * has no command or several have failed.
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
      `left out, since it is of the machine of that job: ${omitted.join(', ')}`,
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
  /** By `--env`. */
  readonly given: Readonly<Record<string, string>>;
  /** By `--secret`; which of them the step had no service says, so that it gets all. */
  readonly secrets: Readonly<Record<string, string>>;
}

const asVariables = (secrets: GivenValues['secrets']): CommandStep['secrets'] =>
  Object.keys(secrets).map((key) => ({ key, variable: key }));

function findRemote(build: string, step: string | undefined, context: Context): Promise<FoundJob> {
  // A job around this one is not meant, and nobody is asked: the same line has to mean the same.
  const surroundings = { ...context, prompts: { ...context.prompts, available: false } };
  const candidates = { word: 'failed', test: isFailedJob };
  const options = { mutates: false, build, candidates, preferred: isFailedJob };
  return resolveJob(surroundings, step, options);
}

/** The environment of another one, a block or a trigger, is nowhere. */
const isCommand = ({ type }: Job): boolean => type === undefined || type === 'script';

const nothingToRun = (job: Job) =>
  usageError(`job "${jobTitle(job)}" has neither a command nor plugins: there is nothing to run`);

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
  /** Names of those that are left out and that nothing here takes the place of. */
  readonly omitted: readonly string[];
}

/**
 * The variables of a job that mean the same on another machine. Those that every job gets anew go
 * without a word; paths, tokens and what an agent says of itself are listed.
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
 * The plugins of a job from its `BUILDKITE_PLUGINS`: a JSON list whose entries are addresses, or
 * objects with the address as the only name. None where there is no such variable, or null in it.
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
  usageError(`the BUILDKITE_PLUGINS of the job are no list of plugins: ${text.slice(0, 80)}`);
