/** What an abort signal does to those who wait: the one place that listens to one. */

/**
 * Calls `act` once with the signal's reason when it is aborted, at once where it is already. The
 * function that comes back takes the listener away.
 */
export function onAbort(signal: AbortSignal | undefined, act: (reason: Error) => void): () => void {
  const listener = (): void => act(signal?.reason as Error);
  if (signal?.aborted === true) listener();
  else signal?.addEventListener('abort', listener, { once: true });
  return () => signal?.removeEventListener('abort', listener);
}

/** Rejects with the signal's reason, and never resolves. */
export const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => void onAbort(signal, reject));
