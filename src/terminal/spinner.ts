import { startTimer } from '../timer.ts';
import type { OutputTarget } from './streams.ts';
import type { Progress } from './messages.ts';

/** Milliseconds without a result after which a spinner is worth its flicker. */
const delay = 200;

/** A spinner that appears when the wait turns out long; its library is loaded only then. */
export function startSpinner(stream: OutputTarget, color: boolean, text: string): Progress {
  let current = text;
  let spinner: Progress | undefined;
  let stopped = false;
  const show = async (): Promise<void> => {
    const { spinWithOra: spin } = await import('./ora.ts');
    if (!stopped) spinner = spin(stream, color, current);
  };
  const timer = startTimer(delay, () => void show(), { keepsProcess: false });
  return {
    update(next) {
      current = next;
      spinner?.update(next);
    },
    stop() {
      stopped = true;
      timer.stop();
      spinner?.stop();
    },
  };
}
