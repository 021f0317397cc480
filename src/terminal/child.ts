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

/** Returns the exit code, or 128 plus the signal number. Exit code 10 if the start fails. */
export function runChild(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
  host: ChildHost,
): Promise<number> {
  const [program = '', ...args] = command;
  if (program === '') return Promise.reject(usageError('the command to run is empty'));
  const env = { ...host.env, ...variables };
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => {
      const { code, message } = cause as NodeJS.ErrnoException;
      const reason = code === 'E2BIG' ? tooLarge(command, env) : message;
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
      // Some errors are thrown before the process exists.
      fail(cause);
    }
  });
}

/** Passes the signal on to the program, except Ctrl-C, which the terminal has already sent. */
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

/** Linux limits each argument and each variable to 128 KiB, and also their total size. */
function tooLarge(command: readonly string[], env: Env): string {
  const sizes = [
    ...command.map((text) => ({ what: 'an argument', size: Buffer.byteLength(text) })),
    ...Object.entries(env).map(([name, value]) => ({
      what: `the variable ${name}`,
      size: Buffer.byteLength(`${name}=${value}`),
    })),
  ].sort((a, b) => b.size - a.size);
  const all = sizes.reduce((sum, { size }) => sum + size, 0);
  const largest = `${sizes[0]?.what} (${sizes[0]?.size} bytes)`;
  return (
    `arguments and variables are too large for this system: ${all} bytes in total, ` +
    `the largest is ${largest}`
  );
}
