import { dirname, join, resolve } from 'node:path';
import { artifact, type Artifact } from '../../api/resources/artifact.ts';
import type { Handler } from '../../command/command.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { globMatcher } from '../../service/domain/artifact-glob.ts';
import { filterAsync } from '../async.ts';
import type { localArtifacts, localArtifactsDownload } from './index.ts';
import { onLocalService } from './with-service.ts';
import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { makeFolder } from '../../common/write-files.ts';
import { checkOutFolder } from '../output-flags.ts';
import { writeWholeFile } from '../write-whole-file.ts';

/** `cictl local artifacts`. */
export const listArtifacts: Handler<typeof localArtifacts> = ({ build, glob }, context) =>
  onLocalService(context, async (client, local) => {
    const ref = await resolveBuild(local, build, { mutates: false });
    const fits = globMatcher(glob ?? '*');
    const wanted = ({ path }: Artifact): boolean => fits(path ?? '');
    await context.out.list(artifact, filterAsync(client.artifacts.list(ref), wanted), {
      empty: 'no artifacts found',
    });
  });

// `cictl local artifacts download`.

/** Writes them below the folder, each under its path; of the same path the last one. */
export const downloadArtifacts: Handler<typeof localArtifactsDownload> = async (
  { build, glob, out = '.' },
  context,
) => {
  checkOutFolder('--out', out);
  await onLocalService(context, async (client, local) => {
    const ref = await resolveBuild(local, build, { mutates: false });
    const wanted = await findWanted(client, ref, glob ?? '*');
    for (const artifact of wanted) await download(client, ref, artifact, out, context);
    const count = `${wanted.length} ${wanted.length === 1 ? 'artifact' : 'artifacts'}`;
    context.messages.note(`wrote ${count} to ${out}`);
  });
};

interface Wanted {
  readonly id: string;
  readonly job: string;
  readonly path: string;
}

async function findWanted({ artifacts }: Client, ref: BuildRef, glob: string): Promise<Wanted[]> {
  const fits = globMatcher(glob);
  const wanted = new Map<string, Wanted>();
  for await (const artifact of artifacts.list(ref)) {
    const one = wantedOf(artifact);
    if (artifact.state === 'finished' && fits(one.path)) wanted.set(one.path, one);
  }
  if (wanted.size > 0) return [...wanted.values()];
  throw new CictlError('not_found', `build ${ref.number} has no artifact that fits ${glob}`, {
    hint: `cictl local artifacts ${ref.pipeline}/${ref.number}`,
  });
}

const wantedOf = ({ id, job_id: job, path }: Artifact): Wanted => ({
  id: id ?? '',
  job: job ?? '',
  path: path ?? '',
});

async function download(
  { artifacts }: Client,
  ref: BuildRef,
  { id, job, path }: Wanted,
  out: string,
  context: Context,
): Promise<void> {
  const folder = resolve(context.cwd, out);
  const file = resolve(folder, path);
  if (!file.startsWith(join(folder, '/')))
    throw new CictlError('invalid_response', `the path of the artifact ${path} leaves the folder`);
  const { body } = await artifacts.download({ ...ref, job }, id);
  await makeFolder(dirname(file)).catch((cause: unknown) => {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new CictlError('machine', `cannot make the folder ${dirname(file)}: ${code}`, { cause });
  });
  await writeWholeFile(file, body, context);
}
