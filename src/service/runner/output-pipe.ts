/**
 * A pipe of the operating system for the output of one job.
 *
 * Node gives children sockets, one for each stream. Two streams lose the order of what is written
 * to them, and a socket cannot be opened again, so that `echo x > /dev/stderr` fails. A named pipe
 * is neither: both streams of the job are the same pipe, and its name is gone before the job runs.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface OutputPipe {
  /** What is written, in order; ends when nobody has the other end open any more. */
  readonly output: Socket;
  /** File descriptor for both streams of the job. */
  readonly input: number;
  /** Lets go of the job's end in this process; the output cannot end before. */
  closeInput(): void;
}

const run = promisify(execFile);

/** Throws what the system says: no room for a file in the temporary folder, no `mkfifo`. */
export async function openOutputPipe(): Promise<OutputPipe> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-job-'));
  try {
    const name = join(folder, 'output');
    await run('mkfifo', ['-m', '600', name]);
    // Opened for reading first, and without waiting: each end waits for the other otherwise.
    const output = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
    const input = openSync(name, constants.O_WRONLY);
    let isOpen = true;
    return {
      output: new Socket({ fd: output, readable: true, writable: false }),
      input,
      closeInput() {
        if (isOpen) closeSync(input);
        isOpen = false;
      },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
