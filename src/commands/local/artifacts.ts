import { artifact, type Artifact } from '../../api/resources/artifact.ts';
import type { Handler } from '../../command/command.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { globMatcher } from '../../service/domain/artifact-glob.ts';
import { filterAsync } from '../filter-async.ts';
import type { localArtifacts } from './index.ts';
import { onLocalService } from './on-local-service.ts';

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
