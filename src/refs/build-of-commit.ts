import { pipelineName, type BuildRef } from '../api/refs.ts';
import { CictlError } from '../errors.ts';
import { fullCommit } from './commit.ts';
import { refOf, type Surroundings } from './resolve-build.ts';
import { resolvePipeline } from './resolve-pipeline.ts';

/** The newest build of a commit, which git may name. Code 2 where it knows none, 7 without a build. */
export async function buildOfCommit(text: string, context: Surroundings): Promise<BuildRef> {
  const pipeline = await resolvePipeline(context, {}, { mutates: false });
  const commit = await fullCommit(text, context.cwd);
  const { builds } = await context.client();
  for await (const build of builds.list(pipeline, { commit: [commit], perPage: 1 })) {
    return refOf(pipeline, build);
  }
  const where = `commit ${commit} in pipeline ${pipelineName(pipeline)}`;
  throw new CictlError('not_found', `no build of ${where} was found`, {
    hint: `cictl builds list ${pipelineName(pipeline)}`,
  });
}
