import { usageError, CictlError } from '../errors.ts';
import { git, type Git } from '../common/git.ts';
import { pipelineName, type BuildRef } from '../api/refs.ts';
import { refOf, type Surroundings } from './resolve-build.ts';
import { resolvePipeline } from './resolve-pipeline.ts';

/** Resolves a revision with `git rev-parse`, except 40 hex digits. Exit code 2 if that fails. */
export async function fullCommit(
  text: string,
  cwd: string,
  { revParse }: Pick<Git, 'revParse'> = git,
): Promise<string> {
  if (/^[0-9a-f]{40}$/i.test(text)) return text.toLowerCase();
  const commit = text === '' ? undefined : await revParse(cwd, text);
  if (commit !== undefined) return commit;
  throw usageError(
    `${JSON.stringify(text)} is not a commit in this checkout, and the API only accepts full SHAs`,
    'use all 40 hex digits',
  );
}

/** Exit code 2 if git cannot find the commit, 7 if the commit has no build. */
export async function buildOfCommit(text: string, context: Surroundings): Promise<BuildRef> {
  const pipeline = await resolvePipeline(context, {}, { mutates: false });
  const commit = await fullCommit(text, context.cwd);
  const { builds } = await context.client();
  for await (const build of builds.list(pipeline, { commit: [commit], perPage: 1 })) {
    return refOf(pipeline, build);
  }
  const where = `commit ${commit} in pipeline ${pipelineName(pipeline)}`;
  throw new CictlError('not_found', `no build found for ${where}`, {
    hint: `cictl builds list ${pipelineName(pipeline)}`,
  });
}
