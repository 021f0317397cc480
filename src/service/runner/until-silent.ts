import type { OutputCopy } from './output-copy.ts';
import type { Timers } from './timers.ts';

/** Milliseconds without a piece of output after which no more of it is awaited. */
const silence = 5000;

/**
 * Until all output is in the log. On a machine with much to do that takes its time, so that only
 * silence ends it; what left the job and stopped its terminal would be awaited for ever otherwise.
 */
export async function untilSilent(
  timers: Timers,
  copy: Pick<OutputCopy, 'sync' | 'pieces' | 'isWriting'>,
): Promise<void> {
  const done = copy.sync().then(() => true);
  for (let before = -1; copy.isWriting || before !== copy.pieces;) {
    before = copy.pieces;
    if ((await within(timers, silence, done)) === true) return;
    // A process that was given no time may have a piece to read, and not know yet.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Until it has settled, at most so many milliseconds; then undefined. */
export async function within<T>(timers: Timers, ms: number, settled: Promise<T>) {
  let cancelTimer = (): void => undefined;
  const late = new Promise<undefined>((resolve) => {
    cancelTimer = timers.after(ms, () => resolve(undefined));
  });
  const first = await Promise.race([settled, late]);
  cancelTimer();
  return first;
}
