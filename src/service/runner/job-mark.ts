/**
 * How the processes of a job are known when they have left its sessions: by the job's id in their
 * environment, and by a file that each of them has open, the log of the job, for reading. That file
 * is inherited through `env -i`, `setsid` and a double fork; a program that closes whatever it does
 * not know and clears its environment as well has lost both.
 */
import { readFileSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import type { StdioOptions } from 'node:child_process';
import { fileOf } from './processes.ts';

/** What scripts do not use: they begin at 3, shells at 10 and, downward, at 63. */
const descriptor = 47;

/** Where nothing lists what a process has open, nothing is gained. */
export const opensMark = platform() === 'linux';

/** The streams of a process, and the mark. */
export const withMark = (streams: readonly ('ignore' | number)[], mark: number): StdioOptions => [
  ...streams,
  ...Array<'ignore'>(descriptor - streams.length).fill('ignore'),
  mark,
];

/** A name for the file itself, which stays when it is moved or deleted; undefined without one. */
export const identityOf = (file: string): string | undefined => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
};

/** Whether a process has a mark that is this file. */
export function hasOpen(id: number, identity: string): boolean {
  try {
    return identityOf(`/proc/${id}/fd/${descriptor}`) === identity;
  } catch {
    // Another user's.
    return false;
  }
}

/** Whether a process has a mark out of this folder, be it deleted meanwhile. */
export function hasOpenFrom(id: number, folder: string): boolean {
  const file = fileOf(id, descriptor);
  return file !== undefined && dirname(file) === folder;
}

/** Whether one of the jobs is named in the environment of a process. */
export function isNamed(id: number, jobIds: readonly string[]): boolean {
  if (jobIds.length === 0) return false;
  try {
    const environment = readFileSync(`/proc/${id}/environ`, 'latin1');
    return jobIds.some((jobId) => environment.includes(`BUILDKITE_JOB_ID=${jobId}\0`));
  } catch {
    // Gone meanwhile, or another user's.
    return false;
  }
}
