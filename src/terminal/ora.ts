import ora from 'ora';
import type { Progress } from './messages.ts';
import type { Outlet } from './streams.ts';

/** Starts a spinner. It makes way by itself for what is written meanwhile. */
export function spin(stream: Outlet, color: boolean, text: string): Progress {
  const spinner = ora({
    text,
    stream,
    color: color ? 'cyan' : false,
    isEnabled: true,
    // Otherwise Ctrl-C would reach nobody.
    discardStdin: false,
  }).start();
  return {
    update: (next) => void (spinner.text = next),
    stop: () => void spinner.stop(),
  };
}
