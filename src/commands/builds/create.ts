import { build } from '../../api/resources/build.ts';
import { type Handler, type Input, flagName } from '../../command/command.ts';
import { refOf, resolvePipeline, resolveBuild } from '../../refs/resolve.ts';
import { changeForWatch, checkWatchOption, watchAfter } from '../../watch/watch-option.ts';
import type { buildsCreate, buildsRebuild } from './index.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { parseAuthor, pairs } from '../../parse/flag-values.ts';
import { git } from '../../common/git.ts';
import { givenVariables, readJsonObject } from '../read-value.ts';

/** `cictl builds create`. */
export const createBuild: Handler<typeof buildsCreate> = async (input, context) => {
  checkWatchOption(input, context);
  const pipeline = await resolvePipeline(context, {}, { mutates: true });
  const body = await createBody(input, context);
  const { builds } = await context.client();
  const created = await changeForWatch(
    build,
    () => builds.create(pipeline, body),
    input,
    context,
    'created',
  );
  if (created === undefined || !input.watch) return;
  return watchAfter([{ ref: refOf(pipeline, created) }], context);
};

/** `cictl builds rebuild [BUILD]`. */
export const rebuildBuild: Handler<typeof buildsRebuild> = async (input, context) => {
  checkWatchOption(input, context);
  const ref = await resolveBuild(context, input.build, { mutates: true });
  const { builds } = await context.client();
  const rebuilt = await changeForWatch(build, () => builds.rebuild(ref), input, context, 'created');
  if (rebuilt === undefined || !input.watch) return;
  return watchAfter([{ ref: refOf(ref, rebuilt) }], context);
};

type CreateInput = Input<typeof buildsCreate>;

/** The body of POST build (API specification, "Create a build"): only what was asked for. */
async function createBody(input: CreateInput, context: Context): Promise<Record<string, unknown>> {
  if (input.body !== undefined) return wholeBody(input.body, input, context);
  return withoutUndefined({
    ...(await source(input, context)),
    message: input.message,
    author: input.author === undefined ? undefined : parseAuthor(input.author),
    env: await environment(input, context),
    meta_data: input.metaData.length > 0 ? pairs(input.metaData, '--meta-data') : undefined,
    clean_checkout: input.cleanCheckout || undefined,
    ignore_pipeline_branch_filters: input.ignoreBranchFilters || undefined,
    pull_request_id: input.prId,
    pull_request_base_branch: input.prBaseBranch,
    pull_request_repository: input.prRepository,
  });
}

/** Flags that fill the body: none of them can be used with `--body`. */
const bodyFlags = [
  'commit',
  'branch',
  'message',
  'author',
  'env',
  'envFrom',
  'metaData',
  'cleanCheckout',
  'ignoreBranchFilters',
  'prId',
  'prBaseBranch',
  'prRepository',
] as const satisfies readonly (keyof CreateInput)[];

async function wholeBody(
  body: string,
  input: CreateInput,
  context: Context,
): Promise<Record<string, unknown>> {
  const filledFlag = bodyFlags.find((key) => isGiven(input[key]));
  if (filledFlag !== undefined)
    throw usageError(`--body and --${flagName(filledFlag)} cannot be used together`);
  return readJsonObject(body, '--body', context);
}

const isGiven = (value: CreateInput[(typeof bodyFlags)[number]]): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

/** Commit and branch as typed, else those of the checkout. */
async function source(
  input: CreateInput,
  { cwd }: Context,
): Promise<{ commit: string; branch: string }> {
  const commit = input.commit ?? (await git.headCommit(cwd));
  const branch = input.branch ?? (await git.branch(cwd));
  if (commit !== undefined && branch !== undefined) return { commit, branch };
  const missing = commit === undefined ? '--commit' : '--branch';
  throw usageError(
    `${missing} is needed here: this folder is no git checkout on a branch with commits`,
  );
}

async function environment(
  input: CreateInput,
  context: Context,
): Promise<Record<string, string> | undefined> {
  const env = await givenVariables(input, context);
  return Object.keys(env).length > 0 ? env : undefined;
}

const withoutUndefined = (members: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
