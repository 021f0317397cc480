/** BUILD left out: asked for among those that the command can do something with. */
import { pipelineName, type BuildRef, type PipelineRef } from '../api/refs.ts';
import { build as resource, type Build } from '../api/resources/build.ts';
import { assertResource } from '../api/resources/check.ts';
import { CictlError, usageError } from '../errors.ts';
import { stateLabel } from '../render/state.ts';
import { refOf, type Surroundings } from './resolve-build.ts';

/** Which builds are worth offering. */
export interface PickableBuilds {
  /** What they are, for the question: `unfinished`. */
  readonly word: string;
  /** States that the service is asked for; default all. */
  readonly states?: readonly string[];
  readonly test?: (build: Build) => boolean;
}

/** Builds that are looked at, the newest. */
const offered = 30;

/** The build that the user picks. Codes: 2 where nobody can be asked, 7 where there is none. */
export async function pickBuild(
  context: Surroundings,
  pipeline: PipelineRef,
  pickable: PickableBuilds | undefined,
): Promise<BuildRef> {
  if (!context.prompts.available) {
    throw usageError(
      'which build? A command that changes something never guesses: name it (BUILD or --build)',
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

/** The place of the branch among the cells. */
const branchAt = 2;

const cellsOf = (build: Build): string[] => {
  const { number, state, blocked, branch, message } = build;
  const [title = ''] = (message ?? '').split('\n');
  return [String(number ?? ''), stateLabel(state ?? '', { blocked }), branch ?? '', title];
};
