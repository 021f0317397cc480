import { statSync } from 'node:fs';
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

// What the system passes on to a new process.

/** Bytes of one argument or of `NAME=value`, without the zero at its end (Linux). */
const longest = 131_071;

export const fits = (text: string): boolean => Buffer.byteLength(text) <= longest;

/**
 * The variables of the next process. One of the service's own that is too long is left out, with a
 * line in the log; throws the name of another one.
 */
async function environmentFor(
  job: JobRun,
  more: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const env: Record<string, string> = { ...job.variables.get(), ...more };
  const tooLong = Object.keys(env).filter((name) => !fits(`${name}=${env[name] ?? ''}`));
  for (const name of tooLong) {
    const size = `${Buffer.byteLength(env[name] ?? '')} bytes, more than this system passes on`;
    if (!name.startsWith('BUILDKITE_')) throw new Error(`the variable ${name} has ${size}`);
    await job.say(`cictl: the variable ${name} is left out: it has ${size}`);
    job.variables.unset([name]);
  }
  const left = Object.entries(env).filter(([name]) => !tooLong.includes(name));
  return tooLong.length === 0 ? env : Object.fromEntries(left);
}

/** Throws where an argument is too long. */
function checkArgument(text: string): void {
  if (fits(text)) return;
  const size = Buffer.byteLength(text);
  throw new Error(`an argument has ${size} bytes, more than this system passes on`);
}
