import type { Readable } from 'node:stream';
import type { OpenPipe } from './output-pipe.ts';
import { openTerminal } from './terminal.ts';

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
