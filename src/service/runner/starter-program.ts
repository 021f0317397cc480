/**
 * Starts processes for a service, and exits when the service exits. Starting a process pauses the
 * parent to copy its memory tables. The pause is short here, because this program is small.
 */
import { closeSync, constants, openSync, statSync } from 'node:fs';
import process from 'node:process';
import { startProcess } from './start-process.ts';
import type { StarterReply, StartRequest } from './starter.ts';

const reply = (message: StarterReply): void => void process.send?.(message, () => undefined);

process.on('message', (request: StartRequest) => void perform(request));
process.on('disconnect', () => process.exit());
// Tells the service that this program is ready.
reply({ id: 0, started: process.pid });

async function perform({ id, wanted }: StartRequest): Promise<void> {
  try {
    const started = await withOutput(wanted.output, (output) =>
      startProcess({ ...wanted, output }),
    );
    reply({ id, started: started.id });
    reply({ id, ended: await started.ended });
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    reply({ id, failed: { message, code } });
  }
}

/** Opens a pipe or terminal of the service. A terminal must not become our controlling terminal. */
async function withOutput<T>(descriptor: number, use: (output: number) => Promise<T>): Promise<T> {
  const file = `/proc/${process.ppid}/fd/${descriptor}`;
  const { O_WRONLY, O_RDWR, O_NOCTTY } = constants;
  const output = openSync(file, statSync(file).isFIFO() ? O_WRONLY : O_RDWR | O_NOCTTY);
  try {
    return await use(output);
  } finally {
    closeSync(output);
  }
}
