import { access, constants } from 'node:fs/promises';
import { relative } from 'node:path';
import { applyChanges, captureScript, readCapture } from './capture.ts';
import { hookKind } from './hook-kind.ts';
import { HookFailure, type Hook } from './hooks.ts';
import { beginPart, complain, hasFailed, type JobRun } from './job-run.ts';
import { runProcess } from './run-process.ts';
import type { Exit } from './start-process.ts';

/** Runs hooks one after the other up to the first that fails; null where none has. */
export async function runHooks(job: JobRun, hooks: readonly Hook[]): Promise<Exit | null> {
  for (const hook of hooks) {
    const exit = await runHook(job, hook);
    if (hasFailed(exit)) return exit;
  }
  return null;
}

/** A hook in a process of its own; what it exports, and the folder it leaves, count afterwards. */
async function runHook(job: JobRun, hook: Hook): Promise<Exit> {
  await beginPart(job, `Running ${hook.owner} ${hook.name} hook`, nameOf(job, hook));
  const { exit, reason } = await attempt(job, hook);
  job.variables.set({ BUILDKITE_LAST_HOOK_EXIT_STATUS: String(exit.code ?? -1) });
  if (reason !== undefined && job.stopper.reason === null)
    await complain(job, `The ${hook.owner} ${hook.name} hook ${reason}`);
  return exit;
}

interface Attempt {
  readonly exit: Exit;
  /** Why it has failed. */
  readonly reason?: string;
}

async function attempt(job: JobRun, hook: Hook): Promise<Attempt> {
  try {
    const exit = await runFile(job, hook);
    return hasFailed(exit) ? { exit, reason: howEnded(exit) } : { exit };
  } catch (error) {
    if (!(error instanceof HookFailure)) throw error;
    return { exit: { code: 1, signal: null }, reason: error.message };
  }
}

async function runFile(job: JobRun, hook: Hook): Promise<Exit> {
  const own = {
    ...hook.env,
    ...{ BUILDKITE_HOOK_PHASE: hook.name, BUILDKITE_HOOK_PATH: hook.file },
    BUILDKITE_HOOK_SCOPE: hook.scope,
  };
  const kind = await hookKind(hook.file, job.world.bash).catch(failToRun);
  if (kind.isProgram) return runProgram(job, hook, own);
  const before = { ...job.variables.get(), ...own };
  const script = captureScript(job, hook.file);
  const exit = await runProcess(job, kind.shell, [...kind.args, '-c', script, hook.file], own);
  if (!hasFailed(exit)) await applyChanges(job, hook, before, await readCapture(job));
  return exit;
}

async function runProgram(job: JobRun, hook: Hook, own: Hook['env']): Promise<Exit> {
  const mayRun = await access(hook.file, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!mayRun) throw new HookFailure(`may not be executed: chmod +x ${hook.file}`);
  return runProcess(job, hook.file, [], own).catch(failToRun);
}

/** In the words of whoever has written the hook. */
function failToRun(error: NodeJS.ErrnoException): never {
  const causes: Readonly<Record<string, string>> = {
    EISDIR: 'it is a folder',
    ENOENT: 'the program that its first line names is not there',
  };
  throw new HookFailure(`cannot be run: ${causes[error.code ?? ''] ?? error.message}`);
}

const nameOf = ({ folder }: JobRun, { file }: Hook): string => {
  const name = relative(folder, file);
  return name.startsWith('..') ? file : name;
};

const howEnded = ({ code, signal }: Exit): string =>
  code === null ? `was ended by ${signal ?? 'a signal'}` : `exited with status ${code}`;
