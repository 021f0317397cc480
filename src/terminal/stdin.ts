import { CictlError } from '../errors.ts';

/** All bytes of standard input. Throws the signal's reason when that is aborted meanwhile. */
export async function readStdin(
  stdin: NodeJS.ReadStream,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const stop = (): void => void stdin.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return Buffer.concat(await stdin.toArray());
  } catch (error) {
    signal.throwIfAborted();
    throw new CictlError('machine', 'standard input cannot be read', { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
