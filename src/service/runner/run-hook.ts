import { access, constants } from 'node:fs/promises';
import { relative } from 'node:path';
import { applyChanges, captureScript, readCapture } from './capture.ts';
import { hookKind } from './hook-kind.ts';
import type { Hook } from './hooks.ts';
import { beginPart, complain, hasFailed, type Exit, type JobRun } from './job-run.ts';
import { runProcess } from './run-process.ts';

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
  const exit = await runFile(job, hook);
  job.variables.set({ BUILDKITE_LAST_HOOK_EXIT_STATUS: String(exit.code ?? -1) });
  if (hasFailed(exit) && job.stopper.reason === null) await complain(job, failureOf(hook, exit));
  return exit;
}

async function runFile(job: JobRun, hook: Hook): Promise<Exit> {
  const own = {
    ...hook.env,
    ...{ BUILDKITE_HOOK_PHASE: hook.name, BUILDKITE_HOOK_PATH: hook.file },
    BUILDKITE_HOOK_SCOPE: hook.scope,
  };
  const kind = await hookKind(hook.file, job.world.bash);
  if (kind.isProgram) return runProgram(job, hook, own);
  const before = { ...job.variables.get(), ...own };
  const script = captureScript(job, hook.file);
  const exit = await runProcess(job, kind.shell, [...kind.args, '-c', script, hook.file], own);
  if (hasFailed(exit)) return exit;
  return applyChanges(job, hook, before, await readCapture(job));
}

async function runProgram(job: JobRun, hook: Hook, own: Hook['env']): Promise<Exit> {
  const mayRun = await access(hook.file, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (mayRun) return runProcess(job, hook.file, [], own);
  await job.say(`cictl: the ${hook.name} hook may not be executed: chmod +x ${hook.file}`);
  return { code: 1, signal: null };
}

const nameOf = ({ folder }: JobRun, { file }: Hook): string => {
  const name = relative(folder, file);
  return name.startsWith('..') ? file : name;
};

const failureOf = ({ owner, name }: Hook, { code, signal }: Exit): string =>
  code === null
    ? `The ${owner} ${name} hook was ended by ${signal ?? 'a signal'}`
    : `The ${owner} ${name} hook exited with status ${code}`;
