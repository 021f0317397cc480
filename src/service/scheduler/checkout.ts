/** What a job runs on: the pipeline's folder as it is. */
import { runAside } from '../../run-aside.ts';
import { readHead } from './read-head.ts';

/**
 * The line that a log begins with where the folder is not at the commit that the build names;
 * undefined where it is, or where `HEAD` was asked for.
 */
export async function checkoutMismatch(
  folder: string,
  commit: string,
): Promise<string | undefined> {
  // Each job asks, and git would be two processes a job.
  if (commit === 'HEAD' || commit === readHead(folder)) return undefined;
  const [head, named] = await Promise.all([resolve(folder, 'HEAD'), resolve(folder, commit)]);
  if (head !== undefined && head === named) return undefined;
  const state = head === undefined ? 'which is no git checkout' : `which is at ${head}`;
  return `cictl: this job runs in ${folder} as it is, ${state}; the build names the commit ${commit}`;
}

/** The full SHA that a name stands for, undefined where it stands for none. */
async function resolve(folder: string, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  return runAside('git', args, folder).then(
    (stdout) => stdout.trim(),
    () => undefined,
  );
}
