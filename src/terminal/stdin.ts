import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { onAbort } from '../common/abort.ts';
import { CictlError, usageError } from '../errors.ts';

/** Standard input, which is only read if a command needs it. */
export interface Stdin {
  readonly isTerminal: boolean;
  /**
   * `by` appears in the error if input is read twice. May read a little more than `limit` bytes.
   */
  read(by: string, limit?: number): Promise<Uint8Array>;
}

export function createStdin(open: () => Readable, signal: AbortSignal): Stdin {
  let reader: string | undefined;
  return {
    isTerminal: isatty(0),
    async read(by, limit = Infinity) {
      if (reader !== undefined) {
        throw usageError(
          `standard input can be read only once: ${reader} has read it, and ${by} needs it too`,
        );
      }
      reader = by;
      return readStdin(open(), signal, limit);
    },
  };
}

async function readStdin(stdin: Readable, signal: AbortSignal, limit: number): Promise<Uint8Array> {
  const ignore = onAbort(signal, (reason) => stdin.destroy(reason));
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of stdin as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      if ((size += chunk.length) > limit) break;
    }
    return Buffer.concat(chunks);
  } catch (error) {
    signal.throwIfAborted();
    throw new CictlError('machine', 'cannot read standard input', { cause: error });
  } finally {
    ignore();
  }
}
