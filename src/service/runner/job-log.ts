import { appendFile, closeSync, fstatSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { JobSpec } from '../runner-port.ts';
import { limitLine, lineEnd } from '../run-options.ts';
import { createRedactor } from './redact.ts';

export interface JobLog {
  /** Resolves when the chunk has been written to the file. Throws if it cannot be written. */
  readonly write: (chunk: Buffer) => Promise<void>;
  line(text: string): Promise<void>;
  redact(values: readonly string[]): void;
  close(): Promise<void>;
}

const appendTo = promisify(appendFile);

/**
 * Opens the log file of a job for appending. Redacts secrets and adds a timestamp to each line.
 * When the log reaches its maximum size, writes a line about that and drops later output.
 */
export function openJobLog(
  { logFile, maxLog }: Pick<JobSpec, 'logFile' | 'maxLog'>,
  secrets: readonly string[],
  now: () => number,
): JobLog {
  const descriptor = openSync(logFile, 'a', 0o600);
  let room = maxLog - fstatSync(descriptor).size;
  const redactor = createRedactor();
  redactor.add(secrets);
  const mark = createMarker(now);
  let last = newline;
  let isFull = false;
  const fit = (marked: Buffer): Buffer => {
    const kept = truncate(marked, room);
    room -= kept.length;
    isFull = kept.length < marked.length;
    if (!isFull) return marked;
    const end = (kept.at(-1) ?? last) === newline ? '' : lineEnd;
    const line = createMarker(now)(Buffer.from(limitLine(maxLog)));
    return Buffer.concat([kept, Buffer.from(end), line]);
  };
  const append = async (bytes: Buffer): Promise<void> => {
    if (bytes.length === 0 || isFull) return;
    const fitting = fit(mark(bytes));
    last = bytes.at(-1) ?? last;
    await appendTo(descriptor, fitting).catch(unwritable);
  };
  const write = (chunk: Buffer): Promise<void> => append(redactor.push(chunk));
  return {
    write,
    async line(text) {
      await append(redactor.end());
      await write(Buffer.from(`${last === newline ? '' : '\n'}${text}\n`));
    },
    redact: (values) => redactor.add(values),
    async close() {
      try {
        await append(redactor.end());
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

const newline = 0x0a;

/** Returns the lines that fit, or the start of the first line if no complete line fits. */
function truncate(marked: Buffer, room: number): Buffer {
  if (marked.length <= room) return marked;
  if (room <= 0) return marked.subarray(0, 0);
  const end = marked.lastIndexOf(newline, room - 1) + 1;
  return marked.subarray(0, end === 0 ? room : end);
}

/** The system's error message does not say what could not be written. */
const unwritable = (cause: Error): never => {
  throw new Error(`cannot write its log: ${cause.message}`, { cause });
};

/**
 * Returns a function that inserts a timestamp before each line, in the public service's format:
 * `ESC _ bk;t=<ms> BEL`. The timestamp is the time of the line's first byte. Only `\n` ends a line,
 * so a progress bar with carriage returns has one timestamp.
 */
export function createMarker(now: () => number): (chunk: Buffer) => Buffer {
  let isLineStart = true;
  return (chunk) => {
    const mark = Buffer.from(`\x1b_bk;t=${now()}\x07`);
    const parts: Buffer[] = [];
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(newline, start);
      const next = end === -1 ? chunk.length : end + 1;
      if (isLineStart) parts.push(mark);
      parts.push(chunk.subarray(start, next));
      isLineStart = end !== -1;
      start = next;
    }
    return Buffer.concat(parts);
  };
}
