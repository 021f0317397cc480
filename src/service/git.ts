/** Git, as the service asks it: it writes nothing, and knows no repository but that of the folder. */
import { execFile } from 'node:child_process';
import { env } from 'node:process';
import { mayBeInCheckout } from '../common/checkout.ts';

/** What it prints; undefined where it fails, is not there, or prints more than 64 MiB. */
export async function askGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  if (!mayBeInCheckout(folder)) return undefined;
  const options = { cwd: folder, env: gitEnvironment(), maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile('git', args, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}

/** Where git runs a hook, they lead to the hook's repository. */
const ofHooks = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX']);

/** The variables that git gets: it takes no lock that it can do without, and speaks English. */
export const gitEnvironment = (): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !ofHooks.has(name))),
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
});
