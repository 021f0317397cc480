/** A small in-memory file system, for tests of full disks and failed renames. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { onTestFinished, type TestContext } from 'vitest';

/**
 * Mounts a tmpfs on a directory until the test has finished. Skips the test if the user may not
 * mount.
 */
export function useTmpfs(folder: string, size: string, { skip }: Pick<TestContext, 'skip'>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder], {
      stdio: 'ignore',
    });
  } catch {
    skip('needs the permission to mount a file system');
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
}
