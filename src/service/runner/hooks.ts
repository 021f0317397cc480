import { existsSync } from 'node:fs';
import { access, constants, open, readFile, rm, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { ReadyPlugin } from '../plugins/plugin.ts';
import { beginPart, complain, hasFailed, makeScratch, runProcess, type JobRun } from './job-run.ts';
import { secretsIn } from './job-variables.ts';
import type { Exit } from './start-process.ts';

interface Hook {
  readonly name: string;
  /** `repository`, or the kind and name of a plugin: `plugin docker`. */
  readonly owner: string;
  readonly scope: 'local' | 'plugin';
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The repository's hook, then the plugins' hooks in order. */
export const hooksOf = (job: JobRun, name: string): Hook[] => [
  ...repositoryHooks(job.folder, name),
  ...pluginHooks(job, job.plugins, name),
];

/** Returns the hooks to run before the checkout. Agents do not run the repository's hook here. */
export async function earlyHooks(job: JobRun, name: string): Promise<Hook[]> {
  const hooks = hooksOf(job, name);
  if (hooks.some(({ scope }) => scope === 'local'))
    await note(
      job,
      `agents do not run a repository's ${name} hook: they check out the repository later`,
    );
  return hooks;
}

/** Returns the repository's hook, or an empty list if it does not exist. */
export const repositoryHooks = (folder: string, name: string): Hook[] =>
  existing([
    {
      ...{ name, owner: 'repository', scope: 'local', env: {} },
      file: join(folder, '.buildkite/hooks', name),
    },
  ]);

export const pluginHooks = (
  { folder }: JobRun,
  plugins: readonly ReadyPlugin[],
  name: string,
): Hook[] =>
  existing(
    plugins.map((plugin) => ({
      ...{ name, owner: `plugin ${plugin.name}`, scope: 'plugin', env: plugin.env },
      file: join(plugin.isOfRepository ? folder : '', plugin.folder, 'hooks', name),
    })),
  );

/** Synchronous, because that is faster than switching threads. Called eight times per job. */
const existing = (hooks: readonly Hook[]): Hook[] => hooks.filter(({ file }) => existsSync(file));

/** Runs hooks in order until one fails. Returns null if none fails. */
export async function runHooks(job: JobRun, hooks: readonly Hook[]): Promise<Exit | null> {
  for (const hook of hooks) {
    const exit = await runHook(job, hook);
    if (hasFailed(exit)) return exit;
  }
  return null;
}

/** Runs a hook in its own process. Its exports and working directory apply to later phases. */
async function runHook(job: JobRun, hook: Hook): Promise<Exit> {
  const name = relative(job.folder, hook.file);
  const shown = name.startsWith('..') ? hook.file : name;
  await beginPart(job, `Running ${hook.owner} ${hook.name} hook`, shown);
  const { exit, reason } = await attempt(job, hook);
  job.variables.set({ BUILDKITE_LAST_HOOK_EXIT_STATUS: String(exit.code ?? -1) });
  if (reason !== undefined && job.stopper.reason === null)
    await complain(job, `The ${hook.owner} ${hook.name} hook ${reason}`);
  return exit;
}

async function attempt(job: JobRun, hook: Hook): Promise<{ exit: Exit; reason?: string }> {
  try {
    const exit = await runFile(job, hook);
    const { code, signal } = exit;
    if (!hasFailed(exit)) return { exit };
    const reason =
      code === null ? `was terminated by ${signal ?? 'a signal'}` : `exited with status ${code}`;
    return { exit, reason };
  } catch (error) {
    if (!(error instanceof HookFailure)) throw error;
    return { exit: { code: 1, signal: null }, reason: error.message };
  }
}

/** The message completes a sentence that begins with the name of the hook. */
class HookFailure extends Error {
  override readonly name = 'HookFailure';
}

async function runFile(job: JobRun, hook: Hook): Promise<Exit> {
  const own = {
    ...hook.env,
    ...{ BUILDKITE_HOOK_PHASE: hook.name, BUILDKITE_HOOK_PATH: hook.file },
    BUILDKITE_HOOK_SCOPE: hook.scope,
  };
  const kind = await hookKind(hook.file, job.world.bash).catch(failToRun);
  if (kind === 'program') return runProgram(job, hook, own);
  const before = { ...job.variables.get(), ...own };
  const script = captureScript(job, hook.file);
  const exit = await runProcess(job, kind.shell, [...kind.args, '-c', script, hook.file], own);
  if (!hasFailed(exit)) await applyChanges(job, hook, before);
  return exit;
}

async function runProgram(job: JobRun, hook: Hook, own: Hook['env']): Promise<Exit> {
  const mayRun = await access(hook.file, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!mayRun) throw new HookFailure(`is not executable; run: chmod +x ${hook.file}`);
  return runProcess(job, hook.file, [], own).catch(failToRun);
}

function failToRun(error: NodeJS.ErrnoException): never {
  const causes: Readonly<Record<string, string>> = {
    EISDIR: 'it is a directory',
    ENOENT: 'the program on its first line does not exist',
  };
  throw new HookFailure(`cannot run: ${causes[error.code ?? ''] ?? error.message}`);
}

/** Hooks for these shells are sourced, so that later phases get the variables they export. */
const shells = new Set(['sh', 'bash', 'dash', 'ksh', 'zsh']);
/** Magic numbers of ELF and of the Mach-O formats. */
const binaries = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'];

/** Returns the shell that sources the hook, or `program`. Throws if the hook cannot be read. */
async function hookKind(
  file: string,
  bash: string,
): Promise<'program' | { readonly shell: string; readonly args: readonly string[] }> {
  const head = await readHead(file);
  if (binaries.includes(head.toString('hex', 0, 4))) return 'program';
  const line = head.toString('utf8').split('\n')[0] ?? '';
  if (!line.startsWith('#!')) return { shell: bash, args: [] };
  const words = line.slice(2).trim().split(/\s+/);
  const isEnv = basename(words[0] ?? '') === 'env';
  const [shell = '', ...args] = isEnv ? words.slice(words[1] === '-S' ? 2 : 1) : words;
  const name = basename(shell);
  if (!shells.has(name)) return 'program';
  return { shell: name === 'bash' ? bash : shell, args };
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Returns a script that sources the hook, then saves the working directory and the environment. */
function captureScript(job: JobRun, hook: string): string {
  makeScratch(job);
  const file = quote(captureFile(job));
  return `. ${quote(hook)}
BUILDKITE_HOOK_EXIT_STATUS=$?
{ printf '%s\\0' "$PWD" && ${quote(job.world.env)} -0; } > ${file} || exit 1
exit "$BUILDKITE_HOOK_EXIT_STATUS"`;
}

const captureFile = ({ spec }: JobRun): string => join(spec.scratch, 'left');

export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns null if the hook exited the shell. */
async function readCapture(job: JobRun) {
  const text = await readFile(captureFile(job), 'utf8').catch(() => '');
  await rm(captureFile(job), { force: true });
  const [cwd = '', ...pairs] = text.split('\0').slice(0, -1);
  if (cwd === '') return null;
  const env: Readonly<Record<string, string>> = Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)] as const;
    }),
  );
  return { cwd, env };
}

/** Variables that the shell itself sets, or that are only set for the hook. */
const temporary = /^(_|PWD|OLDPWD|SHLVL|BUILDKITE_HOOK_.*)$/;

/** Applies the changes of the hook. Throws `HookFailure` if its working directory does not exist. */
async function applyChanges(
  job: JobRun,
  { env: own }: Hook,
  before: Readonly<Record<string, string>>,
): Promise<void> {
  const capture = await readCapture(job);
  if (capture === null) return note(job, 'the hook exited its shell, so its exports are lost');
  const { cwd, env: after } = capture;
  // Shells drop variables with invalid names, so the hook did not necessarily unset a missing one.
  const mayUnset = (name: string): boolean => /^\w+$/.test(name) && !(name in own);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter(
    (one) => !temporary.test(one) && before[one] !== after[one] && (one in after || mayUnset(one)),
  );
  const set = Object.fromEntries(
    changed.flatMap((one) => {
      const value = after[one];
      return value === undefined ? [] : [[one, value] as const];
    }),
  );
  job.redact(secretsIn(set));
  job.variables.set(set);
  job.variables.unset(changed.filter((one) => after[one] === undefined));
  for (const one of changed) {
    const verb = before[one] === undefined ? 'added' : one in after ? 'changed' : 'removed';
    await note(job, `${one} ${verb}`);
  }
  if (cwd === job.cwd) return;
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new HookFailure(`changed to ${cwd}, which does not exist`);
  job.cwd = cwd;
  await job.say(`\x1b[90m$\x1b[0m cd ${cwd}`);
}

const note = (job: JobRun, text: string): Promise<void> => job.say(`\x1b[90m# ${text}\x1b[0m`);
