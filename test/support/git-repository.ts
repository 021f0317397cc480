/** Git repositories in temporary directories, for tests that fetch with git. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface GitRepository {
  readonly folder: string;
  /** Writes the files (executable if they are in `hooks`), commits them and returns the SHA. */
  readonly commit: (files: Readonly<Record<string, string>>) => string;
  /** Runs git in the repository; returns its output. */
  readonly git: (...args: string[]) => string;
}

/** Creates an empty repository with the branch `main`. */
export function createRepository(folder: string): GitRepository {
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]): string =>
    execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet', '--template=', '--initial-branch', 'main');
  return {
    folder,
    git,
    commit(files) {
      for (const [name, text] of Object.entries(files)) write(join(folder, name), text);
      git('add', '--all');
      git('commit', '--quiet', '--message', 'change');
      return git('rev-parse', 'HEAD');
    },
  };
}

/** Skips maintenance after each commit and does not wait for the disk. */
const fast = ['-c', 'maintenance.auto=false', '-c', 'core.fsync=none'];

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...fast];

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (/\bhooks\//.test(file)) chmodSync(file, 0o755);
}
