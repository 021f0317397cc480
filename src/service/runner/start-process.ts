import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { opensMark, withMark } from './processes.ts';

export interface Wanted {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** File descriptor for both output streams, and for standard input if it is a terminal. */
  readonly output: number;
  /** The job's log. It is passed as an open file, to mark the process (see `processes.ts`). */
  readonly logFile: string;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Started {
  /** ID of the process, which leads its own session. */
  readonly id: number;
  /** Rejects if the exit status is unknown. */
  readonly ended: Promise<Exit>;
}

/** Rejects with the system's error if the process cannot be started. */
export type StartProcess = (wanted: Wanted) => Promise<Started>;

export const startProcess: StartProcess = ({ file, args, cwd, env, output, logFile }) =>
  new Promise((resolve, reject) => {
    const mark = opensMark ? openSync(logFile, 'r') : undefined;
    const streams = [isatty(output) ? output : 'ignore', output, output] as const;
    const own = mark === undefined ? [...streams] : withMark(streams, mark);
    const stdio = withCovered(own, outerEnds, mark ?? output);
    try {
      const child = spawn(file, args, { cwd, env, detached: true, stdio });
      const ended = new Promise<Exit>((settle) => {
        child.once('exit', (code, signal) => settle({ code, signal }));
      });
      child.once('error', reject);
      if (child.pid !== undefined) resolve({ id: child.pid, ended });
    } finally {
      if (mark !== undefined) closeSync(mark);
    }
  });

/** Controlling ends of open terminals. Without `O_CLOEXEC`, every process would inherit them. */
export const outerEnds = new Set<number>();

type Stream = 'ignore' | 'ipc' | number;

/** Passes `cover` in place of these descriptors, so that the process cannot use their files. */
export function withCovered(
  streams: readonly Stream[],
  numbers: Iterable<number>,
  cover: number,
): Stream[] {
  const all = [...streams];
  for (const number of numbers) {
    while (all.length <= number) all.push('ignore');
    if (number > 2 && all[number] === 'ignore') all[number] = cover;
  }
  return all;
}
