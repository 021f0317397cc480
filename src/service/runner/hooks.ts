import { access, constants, open, readFile, rm, stat } from 'node:fs/promises';
import { relative, join, basename } from 'node:path';
import { existsSync } from 'node:fs';
import { beginPart, complain, hasFailed, type JobRun, makeScratch } from './job-run.ts';
import { runProcess } from './run-process.ts';
import type { Exit } from './start-process.ts';
import type { ReadyPlugin } from '../plugins/plugin.ts';
import { secretsIn } from './job-variables.ts';

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

// The hooks of a job: which there are, and in which order they run.

interface Hook {
  readonly name: string;
  /** `repository`, or `plugin docker`. */
  readonly owner: string;
  readonly scope: 'local' | 'plugin';
  readonly file: string;
  /** Variables for it alone. */
  readonly env: Readonly<Record<string, string>>;
}

/** Why a hook has failed that did not say so itself: what follows its name in a sentence. */
class HookFailure extends Error {
  override readonly name = 'HookFailure';
}

/** The hook of the repository, then those of the plugins in their order. */
export const hooksOf = (job: JobRun, name: string): Hook[] => [
  ...repositoryHooks(job.folder, name),
  ...pluginHooks(job, job.plugins, name),
];

/**
 * The same before the checkout, where the folder is there already. Agents have none of the
 * repository then, and the log says so.
 */
export async function earlyHooks(job: JobRun, name: string): Promise<Hook[]> {
  const hooks = hooksOf(job, name);
  if (hooks.some(({ scope }) => scope === 'local'))
    await job.say(
      `\x1b[90m# agents run no ${name} hook of a repository: they have it later\x1b[0m`,
    );
  return hooks;
}

/** Of the repository that is in the folder: none or one. */
export const repositoryHooks = (folder: string, name: string): Hook[] =>
  existing([
    {
      ...{ name, owner: 'repository', scope: 'local', env: {} },
      file: join(folder, '.buildkite/hooks', name),
    },
  ]);

export const pluginHooks = (job: JobRun, plugins: readonly ReadyPlugin[], name: string): Hook[] =>
  existing(plugins.map((plugin) => hookOf(job, plugin, name)));

/** Where the files of a plugin are. */
const folderOf = ({ folder }: JobRun, plugin: ReadyPlugin): string =>
  plugin.isOfRepository ? join(folder, plugin.folder) : plugin.folder;

const hookOf = (job: JobRun, plugin: ReadyPlugin, name: string): Hook => ({
  ...{ name, owner: `plugin ${plugin.name}`, scope: 'plugin', env: plugin.env },
  file: join(folderOf(job, plugin), 'hooks', name),
});

/** Asked eight times a job, and quicker than to hand the question to another thread. */
const existing = (hooks: readonly Hook[]): Hook[] => hooks.filter(({ file }) => existsSync(file));

type HookKind =
  | { readonly isProgram: true }
  | { readonly isProgram: false; readonly shell: string; readonly args: readonly string[] };

/** Those whose hooks are read by the shell that runs, so that what they export can be kept. */
const shells = new Set(['sh', 'bash', 'dash', 'ksh', 'zsh']);
/** How binaries begin: ELF, and Mach-O in its four forms. */
const binaries = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'];

/** By its first line; without `#!` it is a script of bash. Throws where it cannot be read. */
async function hookKind(file: string, bash: string): Promise<HookKind> {
  const head = await readHead(file);
  if (binaries.includes(head.toString('hex', 0, 4))) return { isProgram: true };
  const line = head.toString('utf8').split('\n')[0] ?? '';
  if (!line.startsWith('#!')) return { isProgram: false, shell: bash, args: [] };
  const words = line.slice(2).trim().split(/\s+/);
  const [shell = '', ...args] = isEnv(words[0]) ? words.slice(words[1] === '-S' ? 2 : 1) : words;
  const name = basename(shell);
  if (!shells.has(name)) return { isProgram: true };
  return { isProgram: false, shell: name === 'bash' ? bash : shell, args };
}

const isEnv = (word = ''): boolean => basename(word) === 'env';

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

// What a hook leaves behind for the phases after it: variables, and the folder it is in.

interface Capture {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Reads the hook into a shell and writes down what has become of it; the exit status stays. */
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

/** Null where the hook ended the shell itself. */
async function readCapture(job: JobRun): Promise<Capture | null> {
  const text = await readFile(captureFile(job), 'utf8').catch(() => '');
  await rm(captureFile(job), { force: true });
  const [cwd = '', ...pairs] = text.split('\0').slice(0, -1);
  if (cwd === '') return null;
  const env = Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)] as const;
    }),
  );
  return { cwd, env };
}

/** Set by the shell itself, or for the hook alone. */
const passing = /^(_|PWD|OLDPWD|SHLVL|BUILDKITE_HOOK_.*)$/;

/** Takes over what the hook left. Throws `HookFailure` where that is no folder to go on in. */
async function applyChanges(
  job: JobRun,
  { env: own }: Hook,
  before: Readonly<Record<string, string>>,
  capture: Capture | null,
): Promise<void> {
  if (capture === null) return note(job, 'the hook ended its shell: what it exported is not kept');
  const after = capture.env;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter(
    (one) =>
      !passing.test(one) && before[one] !== after[one] && (one in after || mayUnset(one, own)),
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
  for (const one of changed) await note(job, `${one} ${verb(before[one], after[one])}`);
  await changeFolder(job, capture.cwd);
}

/** Not what the shell itself leaves out, nor what only the hook was given. */
const mayUnset = (name: string, own: Hook['env']): boolean => /^\w+$/.test(name) && !(name in own);

async function changeFolder(job: JobRun, cwd: string): Promise<void> {
  if (cwd === job.cwd) return;
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new HookFailure(`has left the job in ${cwd}, a folder that is not there`);
  job.cwd = cwd;
  await job.say(`\x1b[90m$\x1b[0m cd ${cwd}`);
}

const verb = (before: string | undefined, after: string | undefined): string =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';

const note = (job: JobRun, text: string): Promise<void> => job.say(`\x1b[90m# ${text}\x1b[0m`);
