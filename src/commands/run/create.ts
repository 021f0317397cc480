/** Describes a new build using the checkout in its directory, as the public service does. */
import { git } from '../../common/git.ts';
import type { PipelineFile } from './pipeline-file.ts';
import { Refusal } from '../../service/domain/refusal.ts';
import type { Plan } from '../../service/pipeline/plan.ts';
import { chooseSteps, missingSecrets } from '../../service/scheduler/choose-steps.ts';
import type { Build } from '../../api/resources/build.ts';
import { CictlError } from '../../errors.ts';
import { callAdmin, type RunRequest } from '../../service/admin.ts';
import type { Hosted } from '../../service/daemon/host.ts';
import type { MadeBuild } from './view.ts';
import type { RunSettings } from './request.ts';

/** Body of a "create a build" request (API specification). */
export interface RunBuild {
  readonly commit: string;
  readonly branch: string;
  readonly message: string;
  readonly author?: { readonly name: string; readonly email: string };
  readonly env: Readonly<Record<string, string>>;
  readonly meta_data?: Readonly<Record<string, string>>;
  readonly pull_request_id?: number;
  readonly pull_request_base_branch?: string;
  readonly pull_request_repository?: string;
}

/**
 * Describes the build of a checkout. Message and author come from the commit. If HEAD is detached
 * at a tag, the build is for that tag. Outside a checkout, the message mentions the file. Variables
 * in `env` for branch, message and pull request take precedence.
 */
export async function describeRun(
  { folder, name }: Pick<PipelineFile, 'folder' | 'name'>,
  env: RunBuild['env'],
): Promise<RunBuild> {
  return { ...(await describeCheckout(folder, name, env)), ...givenFacts(env) };
}

async function describeCheckout(
  folder: string,
  name: string,
  env: RunBuild['env'],
): Promise<RunBuild> {
  const [branch, head] = await Promise.all([git.branch(folder), git.head(folder)]);
  if (head === undefined)
    return { commit: 'HEAD', branch: branch ?? 'main', message: `cictl run ${name}`, env };
  const { sha: commit, message, author } = head;
  if (branch !== undefined) return { commit, branch, message, author, env };
  const tag = await git.tag(folder);
  const tagged = tag === undefined ? env : { BUILDKITE_TAG: tag, ...env };
  return { commit, branch: tag ?? 'main', message, author, env: tagged };
}

/** Build fields given as variables. The service itself sets these variables from the build. */
function givenFacts(env: RunBuild['env']): Partial<RunBuild> {
  const { BUILDKITE_BRANCH: branch, BUILDKITE_MESSAGE: message } = env;
  return { ...(branch && { branch }), ...(message && { message }), ...pullRequestOf(env) };
}

function pullRequestOf(env: RunBuild['env']): Partial<RunBuild> {
  const id = env['BUILDKITE_PULL_REQUEST'] ?? '';
  if (!/^[1-9]\d{0,8}$/.test(id)) return {};
  const base = env['BUILDKITE_PULL_REQUEST_BASE_BRANCH'];
  const repository = env['BUILDKITE_PULL_REQUEST_REPO'];
  return {
    pull_request_id: Number(id),
    ...(base && { pull_request_base_branch: base }),
    ...(repository && { pull_request_repository: repository }),
  };
}

interface Choosing {
  readonly isShown: boolean;
  /** Names of secrets that are stored in the service */
  readonly kept?: Readonly<Record<string, string>>;
}

/**
 * Selects the requested steps in the same way as the service. Exit code 2 for an unknown step. The
 * service itself reports missing triggered pipelines and secrets. If the plan is only shown, a
 * missing secret leads to a notice.
 */
export function choosePlanned(
  plan: Plan,
  { settings: { only, options }, file }: Pick<WantedRun, 'settings' | 'file'>,
  { isShown, kept = {} }: Choosing,
): Plan {
  const triggered = plan.steps.flatMap((step) => (step.type === 'trigger' ? [step.pipeline] : []));
  try {
    const chosen = chooseSteps(plan, { ...options, secrets: allSecrets(plan) }, triggered, only);
    const known = { ...kept, ...options.secrets };
    return isShown ? withNotices(chosen, missingSecrets(chosen.steps, known)) : chosen;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw refusedPlan(error.message, file.name, error);
  }
}

const withNotices = ({ notices, ...plan }: Plan, more: readonly string[]): Plan => ({
  ...plan,
  notices: [...notices, ...more],
});

const allSecrets = ({ steps }: Plan): Record<string, string> =>
  Object.fromEntries(
    steps.flatMap((step) =>
      step.type === 'command' ? step.secrets.map(({ key }) => [key, ''] as const) : [],
    ),
  );

export interface NewRun {
  readonly file: PipelineFile;
  readonly build: RunBuild;
  /** Set if the steps are not from the file. */
  readonly plan?: Plan;
}

export interface WantedRun extends NewRun {
  readonly settings: RunSettings;
}

export interface RemoteOfRun {
  /** The remote of the checkout, which git may still be looking up. */
  readonly remote: ReturnType<typeof git.remote>;
}

/**
 * Registers the directory as a pipeline if needed, and creates a build of the file. Exit code 2 if
 * the service rejects the pipeline.
 */
export async function createRun(
  { state, attachedPid: pid }: Hosted,
  { file, build, settings, plan, remote }: WantedRun & RemoteOfRun,
): Promise<MadeBuild> {
  const repository = await remote;
  const request: RunRequest = {
    ...settings,
    ...(plan === undefined ? sourceOf(file) : { plan }),
    ...{ folder: file.folder, build, pid },
    ...(repository !== undefined && { repository }),
  };
  const made = await callAdmin(state, 'POST', '/runs', request).catch((error: unknown) => {
    throw asUsageError(error, file.name);
  });
  const first = made as Build;
  const { id, number, pipeline } = first;
  const slug = pipeline?.slug ?? '';
  return { org: 'local', pipeline: slug, number: number ?? 0, id: id ?? '', build: first };
}

function sourceOf({ name, path, text, isUsual, isInput }: PipelineFile): Partial<RunRequest> {
  if (isInput) return { text: { name, text } };
  return isUsual ? {} : { file: path };
}

/** If the service rejects a run, the problem is in the file or the flags. */
function asUsageError(error: unknown, name: string): unknown {
  if (!(error instanceof CictlError) || error.status !== 422) return error;
  const { message, details } = error;
  if (details.length === 0) return refusedPlan(message, name, error);
  return new CictlError('usage', message, { details, cause: error });
}

/** Reports the problems of a plan like problems of a file: one per line, exit code 2. */
function refusedPlan(problems: string, file: string, cause: unknown): CictlError {
  const lines = problems.split('\n');
  const [only = ''] = lines;
  if (lines.length === 1) return new CictlError('usage', only, { cause });
  const message = `the pipeline file ${file} has ${lines.length} problems`;
  return new CictlError('usage', message, { details: lines, cause });
}
