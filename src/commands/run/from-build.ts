/** `--from-build`: a job of any service as the only step of a pipeline of this machine. */
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { git } from '../../git.ts';
import type { FoundJob } from '../../refs/find-job.ts';
import { resolveJob } from '../../refs/resolve.ts';
import { plainCommand, type CommandStep } from '../../service/pipeline/plan.ts';
import { isFailedJob } from '../../watch/is-failed-job.ts';
import { jobTitle } from '../../watch/job-title.ts';
import type { NewRun } from './create.ts';
import type { RunBuild } from './describe.ts';
import { portableVariables } from './portable-variables.ts';
import { usedPlugins } from './used-plugins.ts';

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
