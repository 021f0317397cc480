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
  /** A spinner where both streams are terminals, else nothing. */
  progress(text: string): Progress;
}

export interface Progress {
  update(text: string): void;
  /** Takes the spinner away; safe to call twice. */
  stop(): void;
}
