import { buildName, type BuildRef, type PipelineRef } from '../api/refs.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { surroundingBuild, refOf } from '../refs/resolve.ts';
import type { Client } from '../api/client.ts';

/** `jobs`: the IDs of retried jobs that must finish as well. */
export interface BuildTarget {
  readonly ref: BuildRef;
  readonly jobs?: readonly string[];
}

/** The newest build of a commit. It may not exist yet. */
export interface CommitTarget {
  readonly pipeline: PipelineRef;
  readonly commit: string;
}

export type Target = BuildTarget | CommitTarget;

/** Exit code 2 if this is the build of the surrounding job, which would wait for itself. */
export function refuseOwnBuild(context: Pick<Context, 'settings'>, ref: BuildRef): void {
  if (surroundingBuild(context, ref) !== ref.number) return;
  throw usageError(
    `cannot watch build ${buildName(ref)} from one of its own jobs: the job would wait for itself`,
  );
}

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
