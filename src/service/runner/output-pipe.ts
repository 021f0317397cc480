/**
 * Pipes of the operating system for the output of jobs.
 *
 * Node gives children sockets, one for each stream. Two streams lose the order of what is written
 * to them, and a socket cannot be opened again, so that `echo x > /dev/stderr` fails. A named pipe
 * is neither: both streams of the job are the same pipe, and its name is gone before the job runs.
 * Making one takes a process, so that several are made at once.
 */
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAside } from '../../run-aside.ts';
import type { JobOutput } from './job-output.ts';

/** How many are made by one process: each that waits for its job is two open files. */
const batch = 16;

/** Gives a pipe that nobody has. Throws what the system says: no room for a file, no `mkfifo`. */
export type OpenPipe = () => Promise<JobOutput>;

export function createPipes(): OpenPipe {
  const ready: Pipe[] = [];
  let making: Promise<void> | undefined;
  const make = async (): Promise<void> => void ready.push(...(await makePipes()));
  return async () => {
    for (;;) {
      const pipe = ready.pop();
      if (pipe !== undefined) return outputOf(pipe);
      await (making ??= make().finally(() => (making = undefined)));
    }
  };
}

interface Pipe {
  readonly reading: number;
  readonly input: number;
}

function outputOf({ reading, input }: Pipe): JobOutput {
  const output = new Socket({ fd: reading, readable: true, writable: false });
  return {
    input,
    output,
    close() {
      output.destroy();
      closeSync(input);
    },
  };
}

async function makePipes(): Promise<Pipe[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-job-'));
  try {
    const names = Array.from({ length: batch }, (_, index) => join(folder, String(index)));
    await runAside('mkfifo', ['-m', '600', ...names], folder);
    return names.map(openBoth);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opened for reading first, and without waiting: each end waits for the other otherwise. */
const openBoth = (name: string): Pipe => ({
  reading: openSync(name, constants.O_RDONLY | constants.O_NONBLOCK),
  input: openSync(name, constants.O_WRONLY),
});
