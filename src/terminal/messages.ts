import type { Ora } from 'ora';
import { cleanText } from '../common/untrusted-text.ts';
import type { Secrets } from './secrets.ts';
import type { OutputTarget } from './streams.ts';
import { startTimer } from '../common/clock.ts';

/** Messages on standard error: progress, hints, confirmations and errors. */
export interface Messages {
  readonly isTerminal: boolean;
  note(line: string): void;
  warn(line: string): void;
  debug(line: string): void;
  error(text: string): void;
  /** Sends terminal messages to a function that paints them. Undefined ends the redirection. */
  redirect(to: ((text: string) => void) | undefined): void;
  bell(): void;
  /** Shows a spinner if both standard output and standard error are terminals. */
  progress(text: string): Progress;
}

export interface Progress {
  update(text: string): void;
  stop(): void;
}

interface MessagesParts {
  readonly stream: OutputTarget;
  readonly outputIsTerminal: boolean;
  readonly settings: { readonly quiet: boolean; readonly debug: boolean };
  readonly color: boolean;
  readonly secrets: Secrets;
}

/** Makes text from services printable and redacts secrets in it. */
export function createMessages({
  stream,
  outputIsTerminal,
  settings: { quiet, debug },
  color,
  secrets,
}: MessagesParts): Messages {
  const isTerminal = stream.isTTY === true;
  // If standard error was closed, continue without messages.
  stream.on('error', () => undefined);
  let painter: ((text: string) => void) | undefined;
  const print = (text: string): void =>
    painter === undefined ? void stream.write(text) : painter(text);
  const printable = (text: string): string => secrets.redact(cleanText(text));
  const say = (text: string): void => print(`${printable(text)}\n`);
  const spins = isTerminal && outputIsTerminal && !quiet;
  return {
    isTerminal,
    note: (line) => (quiet ? undefined : say(line)),
    warn: (line) => (quiet ? undefined : say(`warning: ${line}`)),
    debug: (line) => (debug && !quiet ? say(`debug: ${line}`) : undefined),
    error: say,
    redirect: (to) => {
      painter = isTerminal ? to : undefined;
    },
    bell: () => (isTerminal ? void stream.write('\x07') : undefined),
    progress: (text) => {
      if (!spins) return silent;
      const spinner = startSpinner(stream, color, printable(text));
      return { update: (next) => spinner.update(printable(next)), stop: () => spinner.stop() };
    },
  };
}

const silent: Progress = { update: () => undefined, stop: () => undefined };

const delay = 200;

/** A spinner that appears only after a delay, when its library is loaded. */
function startSpinner(stream: OutputTarget, color: boolean, text: string): Progress {
  let current = text;
  let spinner: Ora | undefined;
  let stopped = false;
  const show = async (): Promise<void> => {
    const { default: ora } = await import('ora');
    if (stopped) return;
    spinner = ora({
      text: current,
      stream,
      color: color ? 'cyan' : false,
      isEnabled: true,
      // By default, the spinner would ignore Ctrl-C.
      discardStdin: false,
    }).start();
  };
  const timer = startTimer(delay, () => void show(), { keepsProcess: false });
  return {
    update(next) {
      current = next;
      if (spinner !== undefined) spinner.text = next;
    },
    stop() {
      stopped = true;
      timer.stop();
      spinner?.stop();
    },
  };
}
