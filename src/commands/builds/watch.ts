import type { Handler, Input } from '../../command/command.ts';
import { git } from '../../common/git.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { fullCommit } from '../../refs/commit.ts';
import { resolveBuild, resolvePipeline } from '../../refs/resolve.ts';
import { refuseOwnBuild, type Target } from '../../watch/target.ts';
import { watchBuilds } from '../../watch/watch-builds.ts';
import type { buildsWatch } from './index.ts';

export const watchBuild: Handler<typeof buildsWatch> = async (input, context) => {
  if (input.interval !== undefined && input.interval < 1)
    throw usageError('--interval must be at least 1ms');
  return watchBuilds([await chooseTarget(input, context)], input, context);
};

/** BUILD or `CICTL_BUILD`, otherwise the newest build of `--commit` or HEAD. */
async function chooseTarget(
  { build, commit }: Input<typeof buildsWatch>,
  context: Context,
): Promise<Target> {
  if (build !== undefined && commit !== undefined)
    throw usageError('BUILD and --commit cannot be used together');
  if (commit === undefined && (build ?? context.settings.build) !== undefined) {
    const ref = await resolveBuild(context, build, { mutates: false });
    refuseOwnBuild(context, ref);
    return { ref };
  }
  // The pipeline of a different repository would never build the commit.
  const pipeline = await resolvePipeline(context, {}, { mutates: false, needsOwn: true });
  if (commit !== undefined) return { pipeline, commit: await fullCommit(commit, context.cwd) };
  const head = await git.headCommit(context.cwd);
  if (head !== undefined) return { pipeline, commit: head };
  throw usageError(
    'no BUILD given, and the working directory is not in a git checkout, or the checkout has no commits',
    'cictl builds watch latest',
  );
}
