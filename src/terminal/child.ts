/** Another program in the foreground, with the terminal of this one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Context } from '../context.ts';
import { CictlError, usageError } from '../errors.ts';

/**
 * Runs a program with `variables` added to the present environment, and resolves to its exit code;
 * 128 and the signal's number when a signal ended it. Code 10 when it cannot be started.
 */
export function runChild(
  [program = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  context: Pick<Context, 'env' | 'cwd' | 'signal' | 'urgent' | 'stdin'>,
): Promise<number> {
  if (program === '') return Promise.reject(usageError('the command to run has no name'));
  return new Promise((resolve, reject) => {
    const env = { ...context.env, ...variables };
    const child = spawn(program, args, { cwd: context.cwd, env, stdio: 'inherit' });
    for (const signal of [context.signal, context.urgent]) passOn(signal, child, context);
    child.on('error', (cause) => {
      reject(new CictlError('machine', `cannot run ${program}: ${cause.message}`, { cause }));
    });
    child.on('exit', (code, name) => {
      resolve(code ?? 128 + (name === null ? 0 : constants.signals[name]));
    });
  });
}

/** The end is the program's own to choose; a terminal has given it the Ctrl-C already. */
function passOn(signal: AbortSignal, child: ChildProcess, { stdin }: Pick<Context, 'stdin'>): void {
  const pass = (): void => {
    const { reason } = signal as { reason: unknown };
    const isInterrupt = reason instanceof CictlError && reason.kind === 'interrupted';
    if (!isInterrupt) child.kill('SIGTERM');
    else if (!stdin.isTerminal) child.kill('SIGINT');
  };
  signal.addEventListener('abort', pass, { once: true });
}
