/**
 * Pipes of the operating system for the output of jobs.
 *
 * Node gives children sockets, one for each stream. Two streams lose the order of what is written
 * to them, and a socket cannot be opened again, so that `echo x > /dev/stderr` fails. A named pipe
 * is neither: both streams of the job are the same pipe, and its name is gone before the job runs.
 * Making one takes a process, so that several are made at once, and one that nobody writes to any
 * more is that of a later job.
 */
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAside } from '../../common/run-aside.ts';
import type { JobOutput } from './job-output.ts';

/** How many are made by one process: each that waits for its job is two open files. */
const batch = 4;

/** Gives a pipe that nobody has. Throws what the system says: no room for a file, no `mkfifo`. */
export type OpenPipe = () => Promise<JobOutput>;

export function createPipes(): OpenPipe {
  const ready: Pipe[] = [];
  let making: Promise<void> | undefined;
  const make = async (): Promise<void> => void ready.push(...(await makePipes()));
  return async () => {
    for (;;) {
      const pipe = ready.pop();
      if (pipe !== undefined) return outputOf(pipe, (again) => ready.push(again));
      await (making ??= make().finally(() => (making = undefined)));
    }
  };
}

interface Pipe {
  readonly reading: number;
  readonly input: number;
}

/** `giveBack` gets the pipe when it is closed, where it can be used again. */
function outputOf({ reading, input }: Pipe, giveBack: (pipe: Pipe) => void): JobOutput {
  const output = new Socket({ fd: reading, readable: true, writable: false });
  return {
    input,
    output,
    rest: () => (output.readableLength === 0 ? readRest(reading) : undefined),
    close() {
      const again = reopen(reading);
      output.destroy();
      closeSync(input);
      if (again !== undefined) giveBackUnused(again, giveBack);
    },
  };
}

/** Where nobody writes to it, and nothing is left in it: what a job left behind may have it for ever. */
function giveBackUnused(reading: number, giveBack: (pipe: Pipe) => void): void {
  if (isAtEnd(reading)) giveBack({ reading, input: openSync(nameOf(reading), constants.O_WRONLY) });
  else closeSync(reading);
}

/** Undefined where the system has no names for what is open. */
function reopen(reading: number): number | undefined {
  try {
    return openSync(nameOf(reading), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

const nameOf = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

/** A pipe ends when the last who could write to it is gone; until then there is just nothing in it. */
function isAtEnd(reading: number): boolean {
  try {
    return readSync(reading, Buffer.alloc(1)) === 0;
  } catch {
    return false;
  }
}

async function makePipes(): Promise<Pipe[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-job-'));
  const names = Array.from({ length: batch }, (_, index) => join(folder, String(index)));
  try {
    await runAside('mkfifo', ['-m', '600', ...names], folder);
    return openSome(names);
  } finally {
    names.forEach(removeName);
    rmdirSync(folder);
  }
}

function removeName(name: string): void {
  try {
    unlinkSync(name);
  } catch {
    // It could not be made.
  }
}

/** As many as the system has descriptors for. Throws what it says where there is not one. */
function openSome(names: readonly string[]): Pipe[] {
  const pipes: Pipe[] = [];
  try {
    for (const name of names) pipes.push(openBoth(name));
  } catch (error) {
    if (pipes.length === 0) throw error;
  }
  return pipes;
}

/** Opened for reading first, and without waiting: each end waits for the other otherwise. */
function openBoth(name: string): Pipe {
  const reading = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { reading, input: openSync(name, constants.O_WRONLY) };
  } catch (error) {
    closeSync(reading);
    throw error;
  }
}

/** Bytes that a pipe holds at most, unless an administrator has allowed more. */
const largestPipe = 1 << 20;
const chunk = Buffer.alloc(1 << 16);

/**
 * All that is in a pipe now, by a reading end that does not wait. Whoever goes on writing meanwhile
 * is not followed for ever.
 */
function readRest(reading: number): Buffer {
  const parts: Buffer[] = [];
  for (let size = 0; size <= largestPipe;) {
    const count = readNow(reading);
    if (count === 0) break;
    parts.push(Buffer.from(chunk.subarray(0, count)));
    size += count;
  }
  return Buffer.concat(parts);
}

/** 0 where there is nothing. */
function readNow(reading: number): number {
  try {
    return readSync(reading, chunk);
  } catch {
    return 0;
  }
}
