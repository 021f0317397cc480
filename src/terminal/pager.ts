import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { DataStream } from '../render/data-stream.ts';
import { dataStream, type OutputTarget } from './streams.ts';
import type { Env } from '../env.ts';

export interface PagerParts {
  /** Command line of the pager, for the shell. */
  readonly command: string;
  readonly env: Env;
  /** The terminal that the pager shows the data on. */
  readonly stdout: OutputTarget;
}

/**
 * Starts a pager for data. Leaving it early is `ReaderGone` to the writer. `less` is asked to keep
 * colours and to end at once when all fits on the screen, unless the user has set `LESS`. Resolves
 * to undefined where there is no such program: the data then goes to the terminal as it is.
 */
export async function openPager({
  command,
  env,
  stdout,
}: PagerParts): Promise<DataStream | undefined> {
  if (!isInstalled(command, env)) return undefined;
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...env },
  });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  const input = dataStream(child.stdin);
  const screen = dataStream(stdout);
  return {
    isTerminal: true,
    get width() {
      return screen.width;
    },
    get height() {
      return screen.height;
    },
    write: (data) => input.write(data),
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}

/** Whether the program of a command line is on PATH; assumed where only a shell can know. */
function isInstalled(command: string, env: Env): boolean {
  const [program = ''] = command.trim().split(/\s+/);
  if (program === '') return false;
  if (process.platform === 'win32' || !/^[\w./+-]+$/.test(program)) return true;
  const folders = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
