import type { Readable } from 'node:stream';
import { closeSync, constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { ReadStream } from 'node:tty';
import type { OpenPipe } from './output-pipe.ts';
import { outerEnds } from './start-process.ts';

/** Where the processes of a job write to, and where that is read. */
export interface JobOutput {
  /** File descriptor for both streams of each process. */
  readonly input: number;
  /** What they have written, in order. */
  readonly output: Readable;
  /** Takes what they have written and `output` has not given yet; undefined where only that can say. */
  readonly rest?: () => Buffer | undefined;
  /** Closes both ends. */
  close(): void;
}

/** A terminal, or a pipe with the reason where there can be no terminal. */
export async function openJobOutput(
  tty: boolean,
  openPipe: OpenPipe,
): Promise<JobOutput & { readonly notice?: string }> {
  if (!tty) return openPipe();
  const terminal = openTerminal();
  if (typeof terminal !== 'string') return terminal;
  const notice = `cictl: the output of this job is a pipe, no terminal: ${terminal}`;
  return { ...(await openPipe()), notice };
}

// A terminal for the input and output of one job. As with an agent, nobody types into it: a program
// that reads its standard input waits until the job's timeout. The processes get the inner end as a
// plain file, so that Node reports how they exited; bash makes it the terminal of its session.

/** Columns and rows, those of the public agent. */
const size = [160, 100] as const;

/** What is used of the package. */
interface Native {
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
}

/** Or, as text, why there can be none. */
function openTerminal(): JobOutput | string {
  try {
    return open(loadNative());
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}

/** One small package a platform; it may be missing, made for another machine, or not allowed. */
const loadNative = (): Native =>
  createRequire(import.meta.url)(`@lydell/node-pty-${platform()}-${arch()}/pty.node`) as Native;

function open(native: Native): JobOutput {
  const { master, slave, pty } = native.open(...size);
  // Opened again by its name: every process that is started from now on would inherit the first.
  const input = openSync(pty, constants.O_RDWR | constants.O_NOCTTY);
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
