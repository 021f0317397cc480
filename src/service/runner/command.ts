import { statSync, type Stats } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { quote } from './hooks.ts';
import { beginPart, complain, fits, makeScratch, runProcess, type JobRun } from './job-run.ts';
import type { Exit } from './start-process.ts';

/**
 * Runs the command of the step: a file of the checkout, or a script for bash. As on agents, a hook
 * cannot change it with BUILDKITE_COMMAND.
 */
export async function runCommand(job: JobRun): Promise<Exit> {
  const { command } = job.spec;
  if (command.trim() === '' && job.spec.plugins.uses.length > 0) return runNothing(job);
  const file = await fileNamed(job, command);
  const script = file === null ? command : word(`./${file}`);
  await beginPart(job, file === null ? 'Running commands' : 'Running script', script);
  return runProcess(job, job.world.bash, ['-e', '-c', await passable(job, script)]);
}

/** A step without a command fails, unless all its plugins are skipped on request. */
async function runNothing(job: JobRun): Promise<Exit> {
  if (job.plugins.length === 0) {
    await job.say('cictl: nothing is left to run: the step is its plugins, and they are skipped');
    return { code: 0, signal: null };
  }
  await complain(job, 'there is no command, and no plugin that runs has a command hook');
  return { code: 1, signal: null };
}

/** Quotes a path for bash only if necessary. */
const word = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : quote(path));

/** If the command is the name of a file, makes it executable and returns its relative path. */
async function fileNamed({ cwd }: JobRun, command: string): Promise<string | null> {
  const name = command.replace(/\n+$/, '');
  if (name === '' || name.includes('\n') || name.includes('\0')) return null;
  const path = join(cwd, name);
  const found = statOf(path);
  if (found === undefined || path === cwd) return null;
  // If this fails, running the file reports it.
  if (found.isFile()) await chmod(path, found.mode | 0o100).catch(() => undefined);
  return relative(cwd, path);
}

/** Undefined if there is no such file, or if the name is too long. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A script that is too long for an argument is read from a file. */
async function passable(job: JobRun, script: string): Promise<string> {
  if (fits(script)) return script;
  const { spec } = job;
  makeScratch(job);
  const file = join(spec.scratch, 'command');
  await writeFile(file, script, { mode: 0o600 });
  return `eval "$(< ${quote(file)})"`;
}
