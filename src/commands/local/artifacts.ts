import { dirname, join, resolve } from 'node:path';
import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import { artifact, type Artifact } from '../../api/resources/artifact.ts';
import type { Handler } from '../../command/command.ts';
import { CictlError } from '../../errors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { globMatcher } from '../../service/domain/artifact-glob.ts';
import { filterAsync } from '../async.ts';
import { checkOutFolder } from '../output-flags.ts';
import { makeOutFolder, writeWholeFile } from '../write-whole-file.ts';
import type { localArtifacts, localArtifactsDownload } from './index.ts';
import { onLocalService } from './with-service.ts';

export const listArtifacts: Handler<typeof localArtifacts> = ({ build, glob }, context) =>
  onLocalService(context, async (client, local) => {
    const ref = await resolveBuild(local, build, { mutates: false });
    const fits = globMatcher(glob ?? '*');
    const matches = ({ path }: Artifact): boolean => fits(path ?? '');
    await context.out.list(artifact, filterAsync(client.artifacts.list(ref), matches), {
      empty: 'no artifacts found',
    });
  });

/** Writes each artifact to its path. If several artifacts have the same path, the last one wins. */
export const downloadArtifacts: Handler<typeof localArtifactsDownload> = async (
  { build, glob = '*', out = '.' },
  context,
) => {
  checkOutFolder('--out', out);
  const folder = resolve(context.cwd, out);
  await onLocalService(context, async (client, local) => {
    const ref = await resolveBuild(local, build, { mutates: false });
    const found = await findFinished(client, ref, glob);
    for (const [path, { id, job_id: job }] of found) {
      const file = resolve(folder, path);
      if (!file.startsWith(join(folder, '/')))
        throw new CictlError(
          'invalid_response',
          `the artifact path ${path} is outside the output directory`,
        );
      const { body } = await client.artifacts.download({ ...ref, job: job ?? '' }, id ?? '');
      await makeOutFolder(dirname(file), dirname(file));
      await writeWholeFile(file, body, context);
    }
    const count = `${found.size} ${found.size === 1 ? 'artifact' : 'artifacts'}`;
    context.messages.note(`wrote ${count} to ${out}`);
  });
};

async function findFinished(
  { artifacts }: Client,
  ref: BuildRef,
  glob: string,
): Promise<Map<string, Artifact>> {
  const fits = globMatcher(glob);
  const found = new Map<string, Artifact>();
  for await (const one of artifacts.list(ref)) {
    const path = one.path ?? '';
    if (one.state === 'finished' && fits(path)) found.set(path, one);
  }
  if (found.size > 0) return found;
  throw new CictlError('not_found', `build ${ref.number} has no artifact that matches ${glob}`, {
    hint: `cictl local artifacts ${ref.pipeline}/${ref.number}`,
  });
}
