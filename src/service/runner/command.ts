/**
 * The command of a step: a file of the checkout, or a script for bash. As on agents it is the one of
 * the file, though a hook may have changed its variable.
 */
import { statSync, type Stats } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { quote } from './hooks.ts';
import { beginPart, complain, makeScratch, type JobRun } from './job-run.ts';
import { fits, runProcess } from './run-process.ts';
import type { Exit } from './start-process.ts';

export async function runCommand(job: JobRun): Promise<Exit> {
  const { command } = job.spec;
  if (command.trim() === '' && job.spec.plugins.uses.length > 0) {
    return nothingToRun(job);
  }
  const file = await fileNamed(job, command);
  const script = file === null ? command : word(`./${file}`);
  await beginPart(job, file === null ? 'Running commands' : 'Running script', script);
  return runProcess(job, job.world.bash, ['-e', '-c', await passable(job, script)]);
}

/** All its plugins were left out, as was asked for, or those that run leave the command to the step. */
async function nothingToRun(job: JobRun): Promise<Exit> {
  if (job.plugins.length === 0) {
    await job.say('cictl: nothing is left to run: the step is its plugins, and they are skipped');
    return { code: 0, signal: null };
  }
  await complain(job, 'there is no command, and no plugin that runs has a command hook');
  return { code: 1, signal: null };
}

/** As bash reads it, plain where it can be. */
const word = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : quote(path));

/** The file that the command is the name of, from the folder it runs in, made executable. */
async function fileNamed({ cwd }: JobRun, command: string): Promise<string | null> {
  const name = command.replace(/\n+$/, '');
  if (name === '' || name.includes('\n') || name.includes('\0')) return null;
  const path = join(cwd, name);
  const found = statOf(path);
  if (found === undefined || path === cwd) return null;
  // Where that is not allowed, running it says so.
  if (found.isFile()) await chmod(path, found.mode | 0o100).catch(() => undefined);
  return relative(cwd, path);
}

/** Undefined also for what no file can be named. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What is too long for an argument is read from a file. */
async function passable(job: JobRun, script: string): Promise<string> {
  if (fits(script)) return script;
  const { spec } = job;
  makeScratch(job);
  const file = join(spec.scratch, 'command');
  await writeFile(file, script, { mode: 0o600 });
  return `eval "$(< ${quote(file)})"`;
}
