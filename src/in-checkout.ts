import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** Git follows links, and looks above where they lead. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
