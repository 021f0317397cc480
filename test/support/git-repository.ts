/** Repositories of git in temporary folders, for what is fetched by git. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface GitRepository {
  readonly folder: string;
  /** Writes the files (those in `hooks` with a run bit) and commits them; returns the SHA. */
  readonly commit: (files: Readonly<Record<string, string>>) => string;
  /** Runs git in it; returns what it prints. */
  readonly git: (...args: string[]) => string;
}

/** Makes a repository with branch `main` and nothing in it. */
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

/** No process for maintenance after each commit, and no wait for the disk. */
const fast = ['-c', 'maintenance.auto=false', '-c', 'core.fsync=none'];

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...fast];

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (/\bhooks\//.test(file)) chmodSync(file, 0o755);
}
