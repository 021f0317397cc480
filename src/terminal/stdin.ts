import { isatty } from 'node:tty';
import { onAbort } from '../abort.ts';
import { CictlError, usageError } from '../errors.ts';

/** Standard input, read only where a command asks for it. */
export interface Stdin {
  readonly isTerminal: boolean;
  /**
   * All bytes up to the end. `by` is the flag or argument that takes them; code 2, naming both,
   * for a second one.
   */
  read(by: string): Promise<Uint8Array>;
}

/** Standard input of this process, which can be read once. */
export function createStdin(open: () => NodeJS.ReadStream, signal: AbortSignal): Stdin {
  let reader: string | undefined;
  return {
    isTerminal: isatty(0),
    async read(by) {
      if (reader !== undefined) {
        throw usageError(
          `standard input can be read once: ${reader} has read it, and ${by} wants it too`,
        );
      }
      reader = by;
      return readStdin(open(), signal);
    },
  };
}

/** All bytes. Throws the signal's reason when that is aborted meanwhile. */
async function readStdin(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<Uint8Array> {
  const ignore = onAbort(signal, (reason) => stdin.destroy(reason));
  try {
    return Buffer.concat(await stdin.toArray());
  } catch (error) {
    signal.throwIfAborted();
    throw new CictlError('machine', 'standard input cannot be read', { cause: error });
  } finally {
    ignore();
  }
}
