import ora from 'ora';
import type { Progress } from './messages.ts';
import type { OutputTarget } from './streams.ts';

/** Starts a spinner. It clears itself for what is written meanwhile. */
export function spinWithOra(stream: OutputTarget, color: boolean, text: string): Progress {
  const spinner = ora({
    text,
    stream,
    color: color ? 'cyan' : false,
    isEnabled: true,
    // Otherwise Ctrl-C would be swallowed.
    discardStdin: false,
  }).start();
  return {
    update: (next) => void (spinner.text = next),
    stop: () => void spinner.stop(),
  };
}
