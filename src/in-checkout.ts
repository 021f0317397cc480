import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/**
 * Whether git may find a repository from this folder: in it, or in one above. Where there is none git
 * says so too, at the price of a process.
 */
export function mayBeInCheckout(folder: string): boolean {
  for (let at = realPath(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || isRepository(at)) return true;
    if (at === dirname(at)) return false;
  }
}

/** A bare one has no checkout, and commits and branches all the same. */
const isRepository = (folder: string): boolean =>
  existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects'));

/** A directory by the repository around it: the same in every worktree, and by every link. */
export interface RepositoryPath {
  /** Absolute path of what the worktrees of the repository share; undefined outside git. */
  readonly repository?: string;
  /** Path in the checkout; absolute outside git. */
  readonly path: string;
}

/** Finds the repository by its files, without starting git. */
export function placeOf(folder: string): RepositoryPath {
  const real = realPath(folder);
  for (let at = real; ; at = dirname(at)) {
    const repository = sharedFolder(join(at, '.git'));
    if (repository !== undefined) return { repository, path: relative(at, real) };
    if (at === dirname(at)) return { path: real };
  }
}

/** Whether a directory is `outer` or below it, in the same repository. */
export function isWithin(inner: RepositoryPath, outer: RepositoryPath): boolean {
  const way = relative(outer.path, inner.path);
  const isBelow = way === '' || !(isAbsolute(way) || /^\.\.([/\\]|$)/.test(way));
  return inner.repository === outer.repository && isBelow;
}

/** In a worktree `.git` is a file that leads to the repository. */
function sharedFolder(git: string): string | undefined {
  try {
    if (statSync(git).isDirectory()) return realpathSync(git);
    const [, link] = /^gitdir: (.*)$/m.exec(readFileSync(git, 'utf8')) ?? [];
    if (link === undefined) return undefined;
    const own = resolve(dirname(git), link);
    const common = join(own, 'commondir');
    const shared = existsSync(common) ? readFileSync(common, 'utf8').trim() : '.';
    return realpathSync(resolve(own, shared));
  } catch {
    return undefined;
  }
}

/** Git follows links, and looks above where they lead. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
