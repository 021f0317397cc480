import { spawn } from 'node:child_process';

/**
 * Runs a program in a session of its own, where the Ctrl-C of the terminal does not reach it, and
 * resolves to what it prints. Throws with the last line of its error output.
 */
export function runAside(file: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', (cause) => reject(new Error(`${file} cannot be run`, { cause })));
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(stderr.trim().split('\n').at(-1) || `${file} has failed`));
    });
  });
}
