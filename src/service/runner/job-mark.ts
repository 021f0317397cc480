/**
 * How the processes of a job are known when they have left its sessions: by the job's id in their
 * environment, and by a file that each of them has open, the log of the job, for reading. That file
 * is inherited through `env -i`, `setsid` and a double fork; a program that closes whatever it does
 * not know and clears its environment as well has lost both.
 */
import { readFileSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { fileOf } from './processes.ts';

/** What scripts do not use: they begin at 3, shells at 10 and, downward, at 63. */
const descriptor = 47;

/** Where nothing lists what a process has open, nothing is gained. */
export const opensMark = platform() === 'linux';

/** The streams of a process, and the mark. */
export const withMark = (
  streams: readonly ('ignore' | number)[],
  mark: number,
): ('ignore' | number)[] => [
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
    return identityOf(`/proc/${id}/fd/${descriptor}`) === identity && isInherited(id);
  } catch {
    // Another user's.
    return false;
  }
}

/** Whether a process has a mark out of this folder, be it deleted meanwhile. */
export function hasOpenFrom(id: number, folder: string): boolean {
  const file = fileOf(id, descriptor);
  return file !== undefined && dirname(file) === folder && isInherited(id);
}

/**
 * What Node opens for itself, a service with many logs for one, is closed when another program
 * begins (`O_CLOEXEC`); the mark is not.
 */
function isInherited(id: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(
      readFileSync(`/proc/${id}/fdinfo/${descriptor}`, 'latin1'),
    )?.[1];
    return flags !== undefined && (parseInt(flags, 8) & closedOnExec) === 0;
  } catch {
    return false;
  }
}

const closedOnExec = 0o2000000;

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
