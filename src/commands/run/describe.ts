/** The build to create, from the checkout around the folder, as the public service has it. */
import { git } from '../../git.ts';
import type { PipelineFile } from './pipeline-file.ts';

/** Body of "create a build" (API specification). */
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
 * The build of a checkout: message and author are those of the commit. With HEAD detached at a tag
 * it is a build of that tag. Of a plain folder the message names the file. The variables of `env` by
 * which jobs know branch, message and pull request say otherwise.
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

/** The service sets these variables itself, from what the build is. */
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
