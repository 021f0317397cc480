import { appendFile, closeSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { createMarker } from './marks.ts';
import { createRedactor } from './redact.ts';

export interface JobLog {
  /** Appends output of the job; resolves when it is in the file. Throws when it cannot be written. */
  readonly write: (chunk: Buffer) => Promise<void>;
  /** Appends a line of the runner's own, on a line of its own. */
  line(text: string): Promise<void>;
  /** From now on these values do not appear in it. */
  redact(values: readonly string[]): void;
  /** Appends what was withheld and closes the file. */
  close(): Promise<void>;
}

const appendTo = promisify(appendFile);

/** Opens the log file of a job for appending: secrets replaced, each line with its time mark. */
export function openJobLog(file: string, secrets: readonly string[], now: () => number): JobLog {
  const descriptor = openSync(file, 'a', 0o600);
  const redactor = createRedactor();
  redactor.add(secrets);
  const mark = createMarker(now);
  let last = 0x0a;
  const append = async (bytes: Buffer): Promise<void> => {
    last = bytes.at(-1) ?? last;
    if (bytes.length > 0) await appendTo(descriptor, mark(bytes)).catch(unwritable);
  };
  const write = (chunk: Buffer): Promise<void> => append(redactor.push(chunk));
  return {
    write,
    async line(text) {
      await append(redactor.end());
      await write(Buffer.from(`${last === 0x0a ? '' : '\n'}${text}\n`));
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

/** The error of the system names no file. */
const unwritable = (cause: Error): never => {
  throw new Error(`its log cannot be written: ${cause.message}`, { cause });
};
