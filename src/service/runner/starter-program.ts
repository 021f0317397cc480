/**
 * A program that starts processes for a service. To start one, the system copies what the process has
 * in its memory and stands still meanwhile: this one has next to nothing. It ends with its service.
 */
import { closeSync, constants, openSync, statSync } from 'node:fs';
import process from 'node:process';
import { startProcess } from './start-process.ts';
import type { StarterReply, StartRequest } from './starter.ts';

const reply = (message: StarterReply): void => void process.send?.(message, () => undefined);

process.on('message', (request: StartRequest) => void perform(request));
process.on('disconnect', () => process.exit());
// It has begun.
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

/** Opens what the service has open: a pipe, or a terminal, which is to be that of nobody's session. */
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
