/** Runs git for plugins: it asks nobody, and ends with its children. */
import { spawn, type ChildProcess } from 'node:child_process';
import { kill } from 'node:process';
import { onAbort } from '../../common/abort.ts';
import { startTimer } from '../../common/clock.ts';

export interface GitWorld {
  readonly env: Readonly<Record<string, string>>;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  /** Milliseconds for one call. */
  readonly timeout: number;
}

/** A call of git that did not work. The message says how it ended and why, without credentials. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly exitStatus: number;
  constructor(message: string, exitStatus: number, options?: ErrorOptions) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}

/** Resolves to what it prints. Throws `GitError`, or the reason of the signal. */
export async function runGit(
  world: GitWorld,
  cwd: string,
  args: readonly string[],
): Promise<string> {
  world.signal.throwIfAborted();
  // In a session of its own: nothing of it finds the terminal, and all of it can be ended.
  const child = spawn('git', args, {
    ...{ cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] as const },
    env: { ...withoutRepository(world.env), ...silent(world.env) },
  });
  let expired = false;
  const hasExpired = (): boolean => expired;
  const timer = startTimer(world.timeout, () => {
    expired = true;
    endAll(child);
  });
  const release = onAbort(world.signal, () => endAll(child));
  try {
    const { code, stdout, stderr } = await finished(child);
    world.signal.throwIfAborted();
    if (code === 0) return stdout;
    throw new GitError(hasExpired() ? lateness(world) : sentence(code, stderr), code ?? 1);
  } finally {
    timer.stop();
    release();
  }
}

/** The repository in which a hook of git has started all this is not meant. */
const withoutRepository = (env: GitWorld['env']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name)),
  );

/** No prompt of git, of ssh or of a window; a command for ssh that the user has set stays. */
const silent = (env: GitWorld['env']): Record<string, string> => ({
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  LC_ALL: 'C',
  ...(env['GIT_SSH_COMMAND'] !== undefined && {
    GIT_SSH_COMMAND: `${env['GIT_SSH_COMMAND']} -o BatchMode=yes`,
  }),
});

function endAll({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function finished(child: ReturnType<typeof spawn>): Promise<Finished> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', (cause) => reject(new GitError('git cannot be run', 1, { cause })));
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

const lateness = ({ timeout }: GitWorld): string => `git took longer than ${timeout / 1000} s`;

/** The line with the cause: the first that git calls fatal, else the last one. */
function sentence(code: number | null, stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const cause = lines.find((line) => line.startsWith('fatal:')) ?? lines.at(-1) ?? '';
  const text = redactAddresses(cause.replace(/^(fatal|error):\s*/, ''));
  return `git exited with ${code ?? 'a signal'}${text === '' ? '' : `: ${text}`}`;
}

/** The text without the credentials of the addresses in it: `https://user:secret@host`. */
export const redactAddresses = (text: string): string =>
  text
    .replace(/\b(https?:\/\/)[^/\s@]+@/gi, '$1[REDACTED]@')
    .replace(/([a-z+]+:\/\/[^/\s@:]*):[^/\s@]+@/gi, '$1:[REDACTED]@');
