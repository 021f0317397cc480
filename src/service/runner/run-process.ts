import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, statSync } from 'node:fs';
import { checkArgument, environmentFor } from './limits.ts';
import type { Exit, JobRun } from './job-run.ts';
import { openMark, opensMark, withMark } from './job-mark.ts';

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
  return new Promise((resolve, reject) => {
    const child = start(job, file, args, cwd, env);
    if (child.pid !== undefined) job.stopper.attach(child.pid);
    child.once('error', (error) => reject(inWords(error)));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Some errors of the system are thrown at once, others come later. */
function start(
  { input, spec }: JobRun,
  file: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): ChildProcess {
  const streams = ['ignore', input, input] as const;
  const mark = opensMark ? openMark(spec.logFile) : undefined;
  try {
    const stdio = mark === undefined ? [...streams] : withMark(streams, mark);
    return spawn(file, args, { cwd, env, detached: true, stdio });
  } catch (error) {
    throw inWords(error as Error);
  } finally {
    if (mark !== undefined) closeSync(mark);
  }
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

function inWords(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'E2BIG')
    return new Error('its command and variables are together larger than this system passes on');
  return error;
}
