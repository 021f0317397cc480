/** The builds to watch. */
import { buildName, type BuildRef, type PipelineRef } from '../api/refs.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { surroundingBuild, refOf } from '../refs/resolve.ts';
import type { Client } from '../api/client.ts';

/** A build; with `jobs`, the ids of executions in it that have to end too: those just retried. */
export interface BuildTarget {
  readonly ref: BuildRef;
  readonly jobs?: readonly string[];
}

/** The newest build of a commit, which need not be there yet. */
export interface CommitTarget {
  readonly pipeline: PipelineRef;
  /** Full SHA. */
  readonly commit: string;
}

export type Target = BuildTarget | CommitTarget;

/** Code 2 for the build of the job around this process: it would wait for itself. */
export function refuseOwnBuild(context: Pick<Context, 'settings'>, ref: BuildRef): void {
  if (surroundingBuild(context, ref) !== ref.number) return;
  throw usageError(
    `build ${buildName(ref)} is the one that this job belongs to: it would wait for itself`,
  );
}

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
