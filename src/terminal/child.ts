/** Another program in the foreground, with the terminal of this one. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';

/**
 * Runs a program with `variables` added to the present environment, and resolves to its exit code;
 * 128 and the signal's number when a signal ended it. Code 10 when it cannot be started.
 */
export function runChild(
  [program = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  { env, cwd, signal }: Pick<Context, 'env' | 'cwd' | 'signal'>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...env, ...variables }, stdio: 'inherit' });
    // Ctrl-C reaches the child by the terminal; ours is to wait for its answer, and to pass TERM on.
    signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.on('error', (cause) => {
      reject(new CictlError('machine', `cannot run ${program}: ${cause.message}`, { cause }));
    });
    child.on('exit', (code, name) => {
      resolve(code ?? 128 + (name === null ? 0 : constants.signals[name]));
    });
  });
}
