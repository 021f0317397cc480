import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { attempt } from '../../common/attempt.ts';
import { runAside } from '../../common/run-aside.ts';
import { outerEnds } from './start-process.ts';

const { O_NOCTTY, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;

export interface JobOutput {
  /** File descriptor for both output streams of each process. */
  readonly input: number;
  readonly output: Readable;
  /** Reads the remaining output directly. Returns undefined if `output` has buffered data. */
  readonly rest?: () => Buffer | undefined;
  close(): void;
}

/** Returns a terminal, or a pipe and a notice with the reason if a terminal is unavailable. */
export async function openJobOutput(
  tty: boolean,
  openPipe: OpenPipe,
): Promise<JobOutput & { readonly notice?: string }> {
  if (!tty) return openPipe();
  try {
    return openTerminal();
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const notice = `cictl: using a pipe instead of a terminal for the output of this job: ${reason}`;
    return { ...(await openPipe()), notice };
  }
}

/** Size of the terminal in columns and rows, as on the public agent. */
const size = [160, 100] as const;

interface Native {
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
}

/**
 * Opens a terminal without input, as on an agent: a program that reads standard input waits until
 * the job times out. Processes get the terminal as an open file, so that Node can report their
 * exit; bash makes it the controlling terminal. Throws if the native package does not work here.
 */
function openTerminal(): JobOutput {
  const load = createRequire(import.meta.url);
  const native = load(`@lydell/node-pty-${platform()}-${arch()}/pty.node`) as Native;
  const { master, slave, pty } = native.open(...size);
  // Reopened by name, because every later process would inherit `slave`.
  const input = openSync(pty, O_RDWR | O_NOCTTY);
  closeSync(slave);
  const output = new ReadStream(master);
  outerEnds.add(master);
  return {
    input,
    output,
    close() {
      output.destroy();
      outerEnds.delete(master);
      closeSync(input);
    },
  };
}

/** Returns an unused pipe. Throws the system's error, such as too many open files. */
export type OpenPipe = () => Promise<JobOutput>;

/** Number of pipes that one `mkfifo` call creates. Each unused pipe takes two file descriptors. */
const batch = 4;

/**
 * Creates named pipes and removes their names before the job runs. Node would give a process one
 * socket per output stream, which would lose the order of the output. Also, a socket cannot be
 * reopened, so `echo x > /dev/stderr` would fail. Creating a pipe requires a process, so pipes are
 * created in batches and reused by later jobs.
 */
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

/** Returns the output of a pipe. `close` passes a reusable pipe to `giveBack`. */
function outputOf({ reading, input }: Pipe, giveBack: (pipe: Pipe) => void): JobOutput {
  const output = new Socket({ fd: reading, readable: true, writable: false });
  return {
    input,
    output,
    rest: () => (output.readableLength === 0 ? readRest(reading) : undefined),
    close() {
      // Fails on systems where open files cannot be reopened by name.
      const again = attempt(() => openSync(nameOf(reading), O_RDONLY | O_NONBLOCK));
      output.destroy();
      closeSync(input);
      if (again === undefined) return;
      // A background process of the job may keep the pipe open forever.
      if (!isAtEnd(again)) closeSync(again);
      else giveBack({ reading: again, input: openSync(nameOf(again), O_WRONLY) });
    },
  };
}

const nameOf = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

/** A pipe is at its end if it is empty and no process can write to it. */
const isAtEnd = (reading: number): boolean =>
  attempt(() => readSync(reading, Buffer.alloc(1))) === 0;

async function makePipes(): Promise<Pipe[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-job-'));
  const names = Array.from({ length: batch }, (_, index) => join(folder, String(index)));
  try {
    await runAside('mkfifo', ['-m', '600', ...names], folder);
    return openSome(names);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Opens as many pipes as possible. Throws if none can be opened. */
function openSome(names: readonly string[]): Pipe[] {
  const pipes: Pipe[] = [];
  try {
    for (const name of names) pipes.push(openBoth(name));
  } catch (error) {
    if (pipes.length === 0) throw error;
  }
  return pipes;
}

/** Opens the reading end first, without blocking, so that the ends do not wait for each other. */
function openBoth(name: string): Pipe {
  const reading = openSync(name, O_RDONLY | O_NONBLOCK);
  try {
    return { reading, input: openSync(name, O_WRONLY) };
  } catch (error) {
    closeSync(reading);
    throw error;
  }
}

/** Maximum number of bytes in a pipe, unless an administrator has raised the limit. */
const largestPipe = 1 << 20;
const chunk = Buffer.alloc(1 << 16);

/** Reads what is in a pipe now. Stops at a limit, because other processes may still be writing. */
function readRest(reading: number): Buffer {
  const parts: Buffer[] = [];
  for (let total = 0; total <= largestPipe;) {
    const count = attempt(() => readSync(reading, chunk)) ?? 0;
    if (count === 0) break;
    parts.push(Buffer.from(chunk.subarray(0, count)));
    total += count;
  }
  return Buffer.concat(parts);
}
