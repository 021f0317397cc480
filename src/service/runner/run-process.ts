import { statSync } from 'node:fs';
import { checkArgument, environmentFor } from './limits.ts';
import type { JobRun } from './job-run.ts';
import type { Exit } from './start-process.ts';

/**
 * Runs a program of the job in a session of its own, where it goes on; resolves when it has ended,
 * though others may still write. `more` are variables for it alone.
 * Throws the reason where it cannot be started.
 */
export async function runProcess(
  job: JobRun,
  file: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  cwd: string = job.cwd,
): Promise<Exit> {
  checkFolder(cwd);
  args.forEach(checkArgument);
  const env = await environmentFor(job, more);
  // Stopped before it began: nothing of it may run.
  if (!job.stopper.allowsStart) return { code: null, signal: 'SIGTERM' };
  const { world, spec, input, stopper } = job;
  const wanted = { file, args, cwd, env, output: input, logFile: spec.logFile };
  const { id, ended } = await world.startProcess(wanted).catch(inWords);
  stopper.attach(id);
  return ended;
}

/** The system's own error for a missing folder names the program in its place. */
function checkFolder(folder: string): void {
  if (!isFolder(folder)) throw new Error(`there is no folder ${folder}`);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function inWords(error: Error): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'E2BIG')
    throw new Error('its command and variables are together larger than this system passes on');
  throw error;
}
