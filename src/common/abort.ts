/** Abort handling. No other module adds listeners to abort signals. */
import { setMaxListeners } from 'node:events';

/** Calls `act` when the signal is or was aborted. Returns a function that removes the listener. */
export function onAbort(signal: AbortSignal | undefined, act: (reason: Error) => void): () => void {
  const listener = (): void => act(signal?.reason as Error);
  if (signal?.aborted === true) listener();
  else if (signal !== undefined) listen(signal, listener);
  return () => signal?.removeEventListener('abort', listener);
}

/** Many listeners are normal here. By default, Node reports more than ten as a leak. */
function listen(signal: AbortSignal, listener: () => void): void {
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
}

export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let ignore = (): void => undefined;
  const abort = new Promise<never>((_, reject) => (ignore = onAbort(signal, reject)));
  try {
    return await Promise.race([abort, work]);
  } finally {
    ignore();
  }
}

export const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => void onAbort(signal, reject));
