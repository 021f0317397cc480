/** What an abort signal does to those who wait: the one place that listens to one. */
import { setMaxListeners } from 'node:events';

/**
 * Calls `act` once with the signal's reason when it is aborted, at once where it is already. The
 * function that comes back takes the listener away.
 */
export function onAbort(signal: AbortSignal | undefined, act: (reason: Error) => void): () => void {
  const listener = (): void => act(signal?.reason as Error);
  if (signal?.aborted === true) listener();
  else if (signal !== undefined) listen(signal, listener);
  return () => signal?.removeEventListener('abort', listener);
}

/** Many may wait at once, each for a job of its own: Node takes more than ten for a leak, and says so. */
function listen(signal: AbortSignal, listener: () => void): void {
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
}

/** Settles like `work`, or rejects with the signal's reason as soon as it is aborted. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let ignore = (): void => undefined;
  const abort = new Promise<never>((_, reject) => (ignore = onAbort(signal, reject)));
  try {
    return await Promise.race([abort, work]);
  } finally {
    ignore();
  }
}

/** Rejects with the signal's reason, and never resolves. */
export const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => void onAbort(signal, reject));
