/**
 * A pipe of the operating system for the output of one job.
 *
 * Node gives children sockets, one for each stream. Two streams lose the order of what is written
 * to them, and a socket cannot be opened again, so that `echo x > /dev/stderr` fails. A named pipe
 * is neither: both streams of the job are the same pipe, and its name is gone before the job runs.
 */
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAside } from '../../run-aside.ts';
import type { JobOutput } from './job-output.ts';

/** Throws what the system says: no room for a file in the temporary folder, no `mkfifo`. */
export async function openOutputPipe(): Promise<JobOutput> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-job-'));
  try {
    const name = join(folder, 'output');
    await runAside('mkfifo', ['-m', '600', name], folder);
    // Opened for reading first, and without waiting: each end waits for the other otherwise.
    const reading = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
    const input = openSync(name, constants.O_WRONLY);
    const output = new Socket({ fd: reading, readable: true, writable: false });
    return {
      input,
      output,
      close() {
        output.destroy();
        closeSync(input);
      },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
