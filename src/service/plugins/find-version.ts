/** What a repository has under the name of a version. */
import { runGit, type GitWorld } from './run-git.ts';

export interface Version {
  /** `branch` and `default` mean something else tomorrow. */
  readonly kind: 'tag' | 'branch' | 'commit' | 'default';
  /** Full SHA; of a commit that is not the tip of anything, what was asked for. */
  readonly commit: string;
}

/** Asks the repository. Throws `GitError`, or a sentence with the newest tags where it has no such version. */
export async function findVersion(
  world: GitWorld,
  cwd: string,
  address: string,
  version: string | null,
): Promise<Version> {
  const refs = readRefs(await runGit(world, cwd, ['ls-remote', '--', address]));
  if (refs.size === 0) throw new Error('it is empty');
  if (version === null) return { kind: 'default', commit: refs.get('HEAD') ?? 'HEAD' };
  const tag = refs.get(`refs/tags/${version}^{}`) ?? refs.get(`refs/tags/${version}`);
  if (tag !== undefined) return { kind: 'tag', commit: tag };
  const branch = refs.get(`refs/heads/${version}`);
  if (branch !== undefined) return { kind: 'branch', commit: branch };
  if (/^[0-9a-f]{7,64}$/i.test(version)) return { kind: 'commit', commit: version.toLowerCase() };
  throw new Error(`it has no version ${version}${examplesOf(refs)}`);
}

/** `SHA\tNAME` a line. */
const readRefs = (text: string): Map<string, string> =>
  new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const [commit = '', name] = line.split('\t');
      return name === undefined ? [] : [[name, commit]];
    }),
  );

function examplesOf(refs: ReadonlyMap<string, string>): string {
  const tags = [...refs.keys()].flatMap((name) => /^refs\/tags\/([^^]+)$/.exec(name)?.[1] ?? []);
  tags.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return tags.length === 0 ? '' : ` (newest: ${tags.slice(0, 3).join(', ')})`;
}
