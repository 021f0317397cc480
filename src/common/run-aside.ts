import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/**
 * Runs a program in its own session, so that Ctrl-C does not stop it. If the program fails, throws
 * the last line of its standard error.
 */
export function runAside(file: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    // Must be the first listener: if no file descriptors are free, the child has no streams.
    child.once('error', (cause) => reject(cannotRun(file, cause)));
    let stdout = '';
    let stderr = '';
    collect(child.stdout, (text) => (stdout += text));
    collect(child.stderr, (text) => (stderr += text));
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(stderr.trim().split('\n').at(-1) || `${file} failed`));
    });
  });
}

const collect = (stream: Readable | undefined, add: (text: string) => void): void =>
  void stream?.setEncoding('utf8').on('data', add);

function cannotRun(file: string, cause: NodeJS.ErrnoException): Error {
  const reason = cause.code === undefined || cause.code === 'ENOENT' ? '' : ` (${cause.code})`;
  return new Error(`cannot run ${file}${reason}`, { cause });
}
