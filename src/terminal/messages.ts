import { cleanText } from '../common/untrusted-text.ts';
import type { Secrets } from './secrets.ts';
import type { OutputTarget } from './streams.ts';
import { startTimer } from '../common/clock.ts';

/** Sentences on standard error: progress, hints, confirmations, errors. */
export interface Messages {
  readonly isTerminal: boolean;
  /** A sentence. Not printed under `--quiet`. */
  note(line: string): void;
  /** `warning: …`. Not printed under `--quiet`. */
  warn(line: string): void;
  /** `debug: …`, only under `--debug`. */
  debug(line: string): void;
  /** Lines that are always printed. */
  error(text: string): void;
  /**
   * Sends the lines for this terminal to a function that paints on it, each with its newline;
   * undefined ends that. Standard error that is no terminal gets them itself all the same.
   */
  redirect(to: ((text: string) => void) | undefined): void;
  /** Sounds the bell of the terminal, where there is one. */
  bell(): void;
  /** A spinner where both streams are terminals, else nothing. */
  progress(text: string): Progress;
}

export interface Progress {
  update(text: string): void;
  /** Takes the spinner away; safe to call twice. */
  stop(): void;
}

interface MessagesParts {
  /** Standard error. */
  readonly stream: OutputTarget;
  /** Whether standard output is a terminal as well: only then there is a spinner. */
  readonly outputIsTerminal: boolean;
  readonly settings: { readonly quiet: boolean; readonly debug: boolean };
  /** The colour decision for standard error. */
  readonly color: boolean;
  readonly secrets: Secrets;
}

/**
 * Text in messages may come from a service, so that all of it is made printable, and secrets that
 * it repeats are left out.
 */
export function createMessages({
  stream,
  outputIsTerminal,
  settings: { quiet, debug },
  color,
  secrets,
}: MessagesParts): Messages {
  const isTerminal = stream.isTTY === true;
  // Nobody reads them any more: no reason to end the work.
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

/** Milliseconds without a result after which a spinner is worth its flicker. */
const delay = 200;

/** A spinner that appears when the wait turns out long; its library is loaded only then. */
function startSpinner(stream: OutputTarget, color: boolean, text: string): Progress {
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
