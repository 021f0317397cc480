import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { opensMark, withMark } from './job-mark.ts';

/** A process of a job. */
export interface Wanted {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** File descriptor for both output streams, and for standard input if it is a terminal. */
  readonly output: number;
  /** The file by which it is found again (`job-mark.ts`). */
  readonly logFile: string;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Started {
  /** Of the process, which leads a session of its own. */
  readonly id: number;
  /** Rejects where nobody can say how it has ended. */
  readonly ended: Promise<Exit>;
}

/** Rejects with what the system says where the process cannot be started. */
export type StartProcess = (wanted: Wanted) => Promise<Started>;

/** Starts it as a child of this process. */
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

// Descriptors that a new process is not to inherit, though Node leaves them open.

/** The outer ends of terminals that are open now: they are not closed when another program begins. */
export const outerEnds = new Set<number>();

type Stream = 'ignore' | 'ipc' | number;

/** The same streams, and `cover` under each of these numbers that they leave free. */
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
