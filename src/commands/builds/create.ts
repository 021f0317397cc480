import { build, type Build } from '../../api/resources/build.ts';
import { type Handler, type Input, flagName } from '../../command/command.ts';
import { git } from '../../common/git.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { parseAuthor, pairs } from '../../parse/flag-values.ts';
import { refOf, resolvePipeline, resolveBuild } from '../../refs/resolve.ts';
import type { WatchInput } from '../../watch/watch-flags.ts';
import { changeForWatch, checkWatchOption, watchAfter } from '../../watch/watch-option.ts';
import { givenVariables, readJsonObject } from '../read-value.ts';
import type { buildsCreate, buildsRebuild } from './index.ts';

export const createBuild: Handler<typeof buildsCreate> = async (input, context) => {
  checkWatchOption(input, context);
  const pipeline = await resolvePipeline(context, {}, { mutates: true });
  const body = await createBody(input, context);
  const { builds } = await context.client();
  return createAndWatch(pipeline, () => builds.create(pipeline, body), input, context);
};

export const rebuildBuild: Handler<typeof buildsRebuild> = async (input, context) => {
  checkWatchOption(input, context);
  const ref = await resolveBuild(context, input.build, { mutates: true });
  const { builds } = await context.client();
  return createAndWatch(ref, () => builds.rebuild(ref), input, context);
};

async function createAndWatch(
  pipeline: Parameters<typeof refOf>[0],
  create: () => Promise<Build>,
  input: WatchInput,
  context: Context,
): Promise<number | undefined> {
  const created = await changeForWatch(build, create, input, context, 'created');
  if (created === undefined || !input.watch) return undefined;
  return watchAfter([{ ref: refOf(pipeline, created) }], context);
}

type CreateInput = Input<typeof buildsCreate>;

/** The request body for "Create a build" (API specification). Omits unset fields. */
async function createBody(input: CreateInput, context: Context): Promise<Record<string, unknown>> {
  if (input.body !== undefined) {
    const flag = bodyFlags.find((key) => isGiven(input[key]));
    if (flag !== undefined)
      throw usageError(`--body and --${flagName(flag)} cannot be used together`);
    return readJsonObject(input.body, '--body', context);
  }
  const source = await sourceOf(input, context);
  const env = await givenVariables(input, context);
  const members = {
    ...source,
    message: input.message,
    author: input.author === undefined ? undefined : parseAuthor(input.author),
    env: Object.keys(env).length > 0 ? env : undefined,
    meta_data: input.metaData.length > 0 ? pairs(input.metaData, '--meta-data') : undefined,
    clean_checkout: input.cleanCheckout || undefined,
    ignore_pipeline_branch_filters: input.ignoreBranchFilters || undefined,
    pull_request_id: input.prId,
    pull_request_base_branch: input.prBaseBranch,
    pull_request_repository: input.prRepository,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

const bodyFlags = [
  ...(['commit', 'branch', 'message', 'author', 'env', 'envFrom', 'metaData'] as const),
  ...(['cleanCheckout', 'ignoreBranchFilters', 'prId', 'prBaseBranch', 'prRepository'] as const),
];

const isGiven = (value: CreateInput[(typeof bodyFlags)[number]]): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

/** The given commit and branch; both default to those of the checkout. */
async function sourceOf(input: CreateInput, { cwd, messages }: Context) {
  const commit = input.commit ?? (await git.headCommit(cwd));
  const branch = input.branch ?? (await git.branch(cwd));
  if (commit !== undefined && branch !== undefined) {
    const changes = input.commit === undefined ? await git.uncommitted(cwd) : undefined;
    if (changes !== undefined)
      messages.note(`building commit ${commit.slice(0, 10)} without ${changes}`);
    return { commit, branch };
  }
  const missing = commit === undefined ? '--commit' : '--branch';
  throw usageError(
    `${missing} is required here: the working directory is not in a git checkout, or no branch with commits is checked out`,
  );
}
