import type { Client } from '../api/client.ts';
import type { BuildRef } from '../api/refs.ts';
import type { Context } from '../context.ts';
import { refOf } from '../refs/resolve.ts';
import { refuseOwnBuild, type CommitTarget } from './target.ts';

/** The newest build of a commit, or undefined while there is none. */
export async function newestOfCommit(
  { pipeline, commit }: CommitTarget,
  { builds }: Client,
  context: Pick<Context, 'settings'>,
): Promise<BuildRef | undefined> {
  for await (const build of builds.list(pipeline, { commit: [commit], perPage: 1 })) {
    const ref = refOf(pipeline, build);
    refuseOwnBuild(context, ref);
    return ref;
  }
  return undefined;
}
