/** BUILD against settings, surrounding job, checkout and service. */
import { pipelineName, type BuildRef, type PipelineRef } from '../api/refs.ts';
import type { Build } from '../api/resources/build.ts';
import type { Context } from '../context.ts';
import { CictlError, usageError } from '../errors.ts';
import { git } from '../git.ts';
import { reportOtherHost } from './other-host.ts';
import { numberOf, parseBuild, type ParsedBuild } from './parse-reference.ts';
import { pickBuild, type PickableBuilds } from './pick-build.ts';
import { resolvePipeline } from './resolve-pipeline.ts';

/** What resolving references may use. */
export type Surroundings = Pick<
  Context,
  'settings' | 'client' | 'messages' | 'prompts' | 'cwd' | 'env' | 'remembered'
>;

export interface BuildOptions {
  /** The command changes something: without BUILD the user is asked, nothing is guessed. */
  readonly mutates: boolean;
  /** The surrounding job's build is taken all the same: `annotate`. */
  readonly surroundingJob?: boolean;
  /** The builds to offer where the user is asked; default all. */
  readonly pickable?: PickableBuilds | undefined;
}

/**
 * The build that `text` names; left out, `CICTL_BUILD`, else the surrounding job's build, else the
 * newest of the current branch. Code 2 when it is malformed or must be named, 7 when there is none.
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

/** A build whose number is given, or `latest`. */
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

/** The number of the build around this process, when it is one of that pipeline. */
export function surroundingBuild(
  { settings }: Pick<Context, 'settings'>,
  { org, pipeline }: PipelineRef,
): number | undefined {
  const job = settings.surroundingJob;
  if (job === undefined || (job.org ?? org) !== org) return undefined;
  if ((job.pipeline ?? pipeline) !== pipeline) return undefined;
  const number = numberOf(job.build);
  if (typeof number === 'number') return number;
  throw usageError(`BUILDKITE_BUILD_NUMBER is no build number: ${JSON.stringify(job.build)}`);
}

async function newestOfBranch(context: Surroundings, pipeline: PipelineRef): Promise<BuildRef> {
  const branch = context.settings.branch ?? (await git.branch(context.cwd));
  if (branch === undefined) {
    throw usageError(
      'which build? This folder is no git checkout on a branch',
      `name a BUILD: a number, or latest for the newest of ${pipelineName(pipeline)}`,
    );
  }
  const source = context.settings.sources['branch'] ?? 'git checkout';
  context.messages.debug(`branch comes from ${source}: ${branch}`);
  const newest = await newestBuild(context, pipeline, branch);
  if (newest !== undefined) return newest;
  const where = `branch ${branch} of pipeline ${pipelineName(pipeline)}`;
  throw new CictlError('not_found', `no build of ${where} was found`, {
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

/** A build as the service sent it. Code 9 when it has no valid number. */
export function refOf(pipeline: PipelineRef, { number }: Build): BuildRef {
  if (Number.isSafeInteger(number) && Number(number) > 0) {
    return { ...pipeline, number: Number(number) };
  }
  const what = number === undefined || number === null ? 'a number' : 'a usable number';
  throw new CictlError(
    'invalid_response',
    `the service sent a build of ${pipelineName(pipeline)} without ${what}`,
  );
}
