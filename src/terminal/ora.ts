import ora from 'ora';
import type { Progress } from './messages.ts';
import type { OutputTarget } from './streams.ts';

export function spinWithOra(stream: OutputTarget, color: boolean, text: string): Progress {
  const spinner = ora({
    text,
    stream,
    color: color ? 'cyan' : false,
    isEnabled: true,
    // Otherwise Ctrl-C would be ignored.
    discardStdin: false,
  }).start();
  return {
    update: (next) => void (spinner.text = next),
    stop: () => void spinner.stop(),
  };
}
