/** A remote of a checkout that has a commit. */
import { withoutCredentials } from '../../common/checkout.ts';
import { askGit } from '../git.ts';

export interface Remote {
  /** Without a password. */
  readonly address: string;
  /** What to fetch where the branch does not lead to the commit there. */
  readonly refspec: string | null;
}

/**
 * The first of `origin` and the others of which a branch that was fetched, or pushed, leads to the
 * commit; null: the first there is. Undefined where there is none.
 */
export async function findRemote(
  folder: string,
  commit: string | null,
  branch: string,
): Promise<Remote | undefined> {
  const [remotes, refs] = await Promise.all([readRemotes(folder), refsWith(folder, commit)]);
  if (commit === null) return remotes[0] && { address: remotes[0].address, refspec: null };
  for (const { name, address } of remotes) {
    const start = `refs/remotes/${name}/`;
    const branches = refs
      .filter((line) => line.startsWith(start) && line.endsWith(' '))
      .map((line) => line.slice(start.length, -1));
    const [first] = branches;
    if (branches.includes(branch)) return { address, refspec: null };
    if (first !== undefined) return { address, refspec: `refs/heads/${first}` };
  }
  return undefined;
}

/** The branches of remotes that lead to the commit, each with what it stands for. */
async function refsWith(folder: string, commit: string | null): Promise<readonly string[]> {
  if (commit === null) return [];
  const args = ['for-each-ref', '--format=%(refname) %(symref)', '--contains', commit];
  return ((await askGit(folder, [...args, 'refs/remotes'])) ?? '').split('\n');
}

async function readRemotes(folder: string) {
  const args = ['config', '--null', '--get-regexp', String.raw`^remote\..*\.url$`];
  const entries = ((await askGit(folder, args)) ?? '').split('\0').filter(Boolean);
  const remotes = entries.flatMap((entry) => {
    const [, name, address] = /^remote\.(.*)\.url\n(.+)$/s.exec(entry) ?? [];
    return name === undefined || address === undefined
      ? []
      : [{ name, address: withoutCredentials(address) }];
  });
  return remotes.sort((a, b) => Number(b.name === 'origin') - Number(a.name === 'origin'));
}
