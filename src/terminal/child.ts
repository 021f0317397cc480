import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { onAbort } from '../common/abort.ts';
import { CictlError, usageError } from '../errors.ts';
import type { Env } from '../common/env.ts';
import type { Stdin } from './stdin.ts';

export interface ChildHost {
  readonly env: Env;
  readonly cwd: string;
  readonly stdin: Pick<Stdin, 'isTerminal'>;
  readonly signal: AbortSignal;
  readonly urgent: AbortSignal;
}

/** Returns the exit code, or 128 plus the signal. Exit code 10 if it cannot be started. */
export function runChild(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
  host: ChildHost,
): Promise<number> {
  const [program = '', ...args] = command;
  if (program === '') return Promise.reject(usageError('the command to run has no name'));
  const env = { ...host.env, ...variables };
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => {
      const { code, message } = cause as NodeJS.ErrnoException;
      const reason =
        code === 'E2BIG' ? 'its arguments and variables are more than this system takes' : message;
      reject(new CictlError('machine', `cannot run ${program}: ${reason}`, { cause }));
    };
    try {
      const child = spawn(program, args, { cwd: host.cwd, env, stdio: 'inherit' });
      for (const signal of [host.signal, host.urgent]) passOn(signal, child, host);
      child.on('error', fail);
      child.on('exit', (code, name) => {
        resolve(code ?? 128 + (name === null ? 0 : constants.signals[name]));
      });
    } catch (cause) {
      // Some errors are thrown before there is a process.
      fail(cause);
    }
  });
}

/** The program decides how it ends; a terminal has already sent it the Ctrl-C. */
function passOn(
  signal: AbortSignal,
  child: ChildProcess,
  { stdin }: Pick<ChildHost, 'stdin'>,
): void {
  onAbort(signal, (reason) => {
    const isInterrupt = reason instanceof CictlError && reason.kind === 'interrupted';
    if (!isInterrupt) child.kill('SIGTERM');
    else if (!stdin.isTerminal) child.kill('SIGINT');
  });
}
