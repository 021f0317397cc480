/** Runs git on bytes: names of files may be anything. */
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { onAbort } from '../../common/abort.ts';
import { gitEnvironment } from '../git.ts';

export interface GitCall {
  /** Absolute folder in which it begins. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly input?: Buffer | string;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
}

/** Resolves to what it prints. Throws one line, the cause as git says it, or the reason of the signal. */
export function runGit(
  args: readonly string[],
  { cwd, env = {}, input = '', signal }: GitCall,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // In a session of its own: the Ctrl-C of a terminal does not reach it.
    const child = spawn('git', args, {
      ...{ cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] as const },
      env: { ...gitEnvironment(), GIT_TERMINAL_PROMPT: '0', ...env },
    });
    child.once('error', (cause) => reject(new Error('git cannot be run', { cause })));
    const printed: Buffer[] = [];
    const complaints: Buffer[] = [];
    collect(child.stdout, printed);
    collect(child.stderr, complaints);
    write(child.stdin, input);
    const release = onAbort(signal, () => child.kill('SIGKILL'));
    child.once('close', (code) => {
      release();
      if (signal?.aborted === true) reject(signal.reason as Error);
      else if (code === 0) resolve(Buffer.concat(printed));
      else reject(new Error(causeIn(complaints) ?? `git ${args[0] ?? ''} exited with ${code}`));
    });
  });
}

/** Where no descriptors are left there are not even streams. */
const collect = (stream: Readable | undefined, pieces: Buffer[]): void =>
  void stream?.on('data', (bytes: Buffer) => pieces.push(bytes));

/** It may end before it has read all; then its code says so. */
const write = (stream: Writable | undefined, input: Buffer | string): void =>
  void stream?.on('error', () => undefined).end(input);

/** What git prints first is the cause, what follows its consequences. */
function causeIn(complaints: readonly Buffer[]): string | undefined {
  const lines = Buffer.concat(complaints).toString().split('\n');
  return lines.find((line) => /^(fatal|error): /.test(line))?.replace(/^\w+: /, '');
}
