import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { fullCommit } from '../../refs/commit.ts';
import { git } from '../../common/git.ts';
import { resolveBuild, resolvePipeline } from '../../refs/resolve.ts';
import { refuseOwnBuild, type Target } from '../../watch/target.ts';
import { watchBuilds } from '../../watch/watch-builds.ts';
import type { buildsWatch } from './index.ts';

type WatchInput = Input<typeof buildsWatch>;

/** `cictl builds watch [BUILD]`. */
export const watchBuild: Handler<typeof buildsWatch> = async (input, context) => {
  if (input.interval !== undefined && input.interval < 1) {
    throw usageError('--interval is at least 1ms');
  }
  return watchBuilds([await chooseTarget(input, context)], input, context);
};

/** BUILD, or `CICTL_BUILD`, else the newest build of a commit: `--commit`, or that of HEAD. */
async function chooseTarget(input: WatchInput, context: Context): Promise<Target> {
  const { build, commit } = input;
  if (build !== undefined && commit !== undefined) {
    throw usageError('BUILD and --commit cannot be used together');
  }
  if (commit === undefined && (build ?? context.settings.build) !== undefined) {
    const ref = await resolveBuild(context, build, { mutates: false });
    refuseOwnBuild(context, ref);
    return { ref };
  }
  // Another repository's pipeline would never build the commit.
  const pipeline = await resolvePipeline(context, {}, { mutates: false, needsOwn: true });
  return { pipeline, commit: await fullSha(commit, context) };
}

async function fullSha(commit: string | undefined, { cwd }: Context): Promise<string> {
  if (commit !== undefined) return fullCommit(commit, cwd);
  const head = await git.headCommit(cwd);
  if (head !== undefined) return head;
  throw usageError(
    'which build? This folder is no git checkout with a commit',
    'name a BUILD: a number, or latest for the newest of the pipeline',
  );
}
