import { pipelineName, type BuildRef, type PipelineRef } from '../api/refs.ts';
import { type Build, build as resource } from '../api/resources/build.ts';
import type { Context } from '../context.ts';
import { CictlError, usageError } from '../errors.ts';
import { git } from '../common/git.ts';
import { reportOtherHost, resolvePipeline } from './resolve-pipeline.ts';
import { numberOf, parseBuild, type ParsedBuild } from './parse-reference.ts';
import { assertResource } from '../api/resources/check.ts';
import { stateLabel } from '../render/state.ts';

export type Surroundings = Pick<
  Context,
  'settings' | 'client' | 'messages' | 'prompts' | 'cwd' | 'env' | 'remembered'
>;

interface BuildOptions {
  /** The command makes changes, so it prompts for a missing BUILD instead of guessing. */
  readonly mutates: boolean;
  /** For `annotate`, which uses the build of the surrounding job although it makes changes */
  readonly surroundingJob?: boolean;
  readonly pickable?: PickableBuilds | undefined;
}

/**
 * Returns the build in `text` or `CICTL_BUILD`, otherwise the build of the surrounding job,
 * otherwise the newest build of the current branch. Exit code 2 if the reference is malformed or
 * required, 7 if there is no build.
 */
export async function resolveBuild(
  context: Surroundings,
  text: string | undefined,
  options: BuildOptions,
): Promise<BuildRef> {
  const given = text ?? context.settings.build;
  if (given !== undefined) return namedBuild(context, parseBuild(given), options);
  const pipeline = await resolvePipeline(context, {}, options);
  if (!options.mutates || options.surroundingJob === true) {
    const number = surroundingBuild(context, pipeline);
    if (number !== undefined) {
      context.messages.debug('build comes from BUILDKITE_BUILD_NUMBER');
      return { ...pipeline, number };
    }
  }
  return options.mutates
    ? pickBuild(context, pipeline, options.pickable)
    : newestOfBranch(context, pipeline);
}

export async function namedBuild(
  context: Surroundings,
  parsed: ParsedBuild,
  options: Pick<BuildOptions, 'mutates'>,
): Promise<BuildRef> {
  reportOtherHost(context, parsed);
  const pipeline = await resolvePipeline(context, parsed, options);
  if (parsed.number !== 'latest') return { ...pipeline, number: parsed.number };
  const newest = await newestBuild(context, pipeline);
  if (newest !== undefined) return newest;
  throw new CictlError('not_found', `pipeline ${pipelineName(pipeline)} has no builds`);
}

export function surroundingBuild(
  { settings }: Pick<Context, 'settings'>,
  { org, pipeline }: PipelineRef,
): number | undefined {
  const job = settings.surroundingJob;
  if (job === undefined || (job.org ?? org) !== org) return undefined;
  if ((job.pipeline ?? pipeline) !== pipeline) return undefined;
  const number = numberOf(job.build);
  if (typeof number === 'number') return number;
  throw usageError(`BUILDKITE_BUILD_NUMBER is not a build number: ${JSON.stringify(job.build)}`);
}

async function newestOfBranch(context: Surroundings, pipeline: PipelineRef): Promise<BuildRef> {
  const branch = context.settings.branch ?? (await git.branch(context.cwd));
  if (branch === undefined) {
    throw usageError(
      'no BUILD given, and the working directory is not in a git checkout or no branch is checked out',
      `cictl builds list ${pipelineName(pipeline)}`,
    );
  }
  const source = context.settings.sources['branch'] ?? 'git checkout';
  context.messages.debug(`branch comes from ${source}: ${branch}`);
  const newest = await newestBuild(context, pipeline, branch);
  if (newest !== undefined) return newest;
  const where = `branch ${branch} of pipeline ${pipelineName(pipeline)}`;
  throw new CictlError('not_found', `no build found for ${where}`, {
    hint: `cictl builds list ${pipelineName(pipeline)}`,
  });
}

async function newestBuild(
  context: Surroundings,
  pipeline: PipelineRef,
  branch?: string,
): Promise<BuildRef | undefined> {
  const { builds } = await context.client();
  const filters = { perPage: 1, ...(branch !== undefined && { branch: [branch] }) };
  for await (const build of builds.list(pipeline, filters)) return refOf(pipeline, build);
  return undefined;
}

export function refOf(pipeline: PipelineRef, { number }: Build): BuildRef {
  if (Number.isSafeInteger(number) && Number(number) > 0) {
    return { ...pipeline, number: Number(number) };
  }
  const what = number === undefined || number === null ? 'a number' : 'a valid number';
  throw new CictlError(
    'invalid_response',
    `the service sent a build of ${pipelineName(pipeline)} without ${what}`,
  );
}

export interface PickableBuilds {
  readonly word: string;
  readonly states?: readonly string[];
  readonly test?: (build: Build) => boolean;
}

const offered = 30;

async function pickBuild(
  context: Surroundings,
  pipeline: PipelineRef,
  pickable: PickableBuilds | undefined,
): Promise<BuildRef> {
  if (!context.prompts.available) {
    throw usageError(
      'no BUILD given (BUILD or --build): commands that make changes require it',
      `cictl builds list ${pipelineName(pipeline)}`,
    );
  }
  const builds = await pickableBuilds(context, pipeline, pickable);
  const kind = pickable === undefined ? 'build' : `${pickable.word} build`;
  if (builds.length === 0) {
    const message = `pipeline ${pipelineName(pipeline)} has no ${kind}${pickable ? '' : 's'}`;
    throw new CictlError('not_found', message, {
      hint: `cictl builds list ${pipelineName(pipeline)}`,
    });
  }
  const choices = builds.map((build) => ({ cells: cellsOf(build), value: refOf(pipeline, build) }));
  return context.prompts.choose(`Which ${kind} of ${pipelineName(pipeline)}?`, choices, [branchAt]);
}

async function pickableBuilds(
  { client }: Surroundings,
  pipeline: PipelineRef,
  { states, test }: Partial<PickableBuilds> = {},
): Promise<Build[]> {
  const { builds } = await client();
  const filters = { perPage: offered, ...(states !== undefined && { state: states }) };
  const found: Build[] = [];
  let seen = 0;
  for await (const build of builds.list(pipeline, filters)) {
    assertResource(resource, build);
    if (test?.(build) ?? true) found.push(build);
    if (++seen === offered) break;
  }
  return found;
}

const branchAt = 2;

const cellsOf = (build: Build): string[] => {
  const { number, state, blocked, branch, message } = build;
  const [title = ''] = (message ?? '').split('\n');
  return [String(number ?? ''), stateLabel(state ?? '', { blocked }), branch ?? '', title];
};
