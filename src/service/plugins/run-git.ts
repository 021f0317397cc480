import { spawn } from 'node:child_process';
import { kill } from 'node:process';
import { attempt } from '../../common/attempt.ts';
import { onAbort } from '../../common/abort.ts';
import { startTimer } from '../../common/clock.ts';

export interface GitWorld {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

/** The message contains the exit code and the cause, without credentials. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly exitStatus: number;
  constructor(message: string, exitStatus: number, options?: ErrorOptions) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}

/** Resolves to standard output. Throws `GitError`, or the abort reason of the signal. */
export async function runGit(
  world: GitWorld,
  cwd: string,
  args: readonly string[],
): Promise<string> {
  world.signal.throwIfAborted();
  // Starts a new session, so that git has no terminal and can be killed with all its children.
  const child = spawn('git', args, {
    ...{ cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] as const },
    env: { ...withoutRepository(world.env), ...silent(world.env) },
  });
  const end = (): void => {
    const { pid } = child;
    if (pid !== undefined) attempt(() => kill(-pid, 'SIGKILL'));
  };
  const state = { isLate: false };
  const timer = startTimer(world.timeout, () => {
    state.isLate = true;
    end();
  });
  const release = onAbort(world.signal, end);
  try {
    const { code, stdout, stderr } = await finished(child);
    world.signal.throwIfAborted();
    if (code === 0) return stdout;
    const late = `git took longer than ${world.timeout / 1000} s`;
    throw new GitError(state.isLate ? late : failureText(code, stderr), code ?? 1);
  } finally {
    timer.stop();
    release();
  }
}

/** Removes the variables that git sets for its hooks, because they point to another repository. */
const withoutRepository = (env: GitWorld['env']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name)),
  );

/** Disables the prompts of git and ssh; keeps the user's ssh command. */
const silent = (env: GitWorld['env']): Record<string, string> => ({
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  LC_ALL: 'C',
  ...(env['GIT_SSH_COMMAND'] !== undefined && {
    GIT_SSH_COMMAND: `${env['GIT_SSH_COMMAND']} -o BatchMode=yes`,
  }),
});

function finished(
  child: ReturnType<typeof spawn>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', (cause) => reject(new GitError('cannot run git', 1, { cause })));
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

function failureText(code: number | null, stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const cause = lines.find((line) => line.startsWith('fatal:')) ?? lines.at(-1) ?? '';
  const text = redactAddresses(cause.replace(/^(fatal|error):\s*/, ''));
  return `git ${code === null ? 'was killed by a signal' : `exited with code ${code}`}${text === '' ? '' : `: ${text}`}`;
}

/** Redacts credentials in URLs: `https://user:secret@host`. */
export const redactAddresses = (text: string): string =>
  text
    .replace(/\b(https?:\/\/)[^/\s@]+@/gi, '$1[REDACTED]@')
    .replace(/([a-z+]+:\/\/[^/\s@:]*):[^/\s@]+@/gi, '$1:[REDACTED]@');
