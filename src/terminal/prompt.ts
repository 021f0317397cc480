import { usageError } from '../errors.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import type { Secrets } from './secrets.ts';
import type { OutputTarget } from './streams.ts';

/** Questions to the user; only where standard input and output are terminals. */
export interface Prompts {
  /** Whether the user can be asked at all. */
  readonly available: boolean;
  /**
   * Resolves to true when the user agrees, at once under `--yes`. Throws `CictlError` of kind
   * `usage` when they decline, or when they cannot be asked: then it names `flag`.
   */
  confirm(question: string, flag: string): Promise<true>;
  /** One line that is not echoed: a token. */
  hidden(question: string): Promise<string>;
  /** One line. */
  text(question: string): Promise<string>;
  /** One of several: picked with arrows and by typing, on a dumb terminal by its number. */
  choose<T>(
    question: string,
    choices: readonly Choice<T>[],
    /** Places of cells of which the end is shown where there is no room. */
    tails?: readonly number[],
  ): Promise<T>;
}

export interface Choice<T> {
  /** What is shown of it, in a row; the most important first. */
  readonly cells: readonly string[];
  readonly value: T;
}

export interface PromptsParts {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: OutputTarget;
  readonly stderr: OutputTarget;
  /** A terminal without a cursor that can be moved; default false. */
  readonly isDumb?: boolean;
  /** The colour decision for the terminal on which questions appear; default false. */
  readonly color?: boolean;
  /** `input`: whether asking is allowed; `yes`: whether every confirmation is given. */
  readonly settings: { readonly input: boolean; readonly yes: boolean };
  /** Cancels an open question. */
  readonly signal: AbortSignal;
  readonly secrets: Secrets;
}

export function createPrompts(parts: PromptsParts): Prompts {
  const { stdin, stdout, stderr, settings, signal, secrets, isDumb = false, color = false } = parts;
  const available = settings.input && stdin.isTTY === true && stdout.isTTY === true;
  // Questions are sentences; a user who sends those elsewhere must still see them.
  const screen = stderr.isTTY === true ? stderr : stdout;
  const printable = (text: string): string => secrets.redact(cleanLine(text));
  const ask = async (question: string, echo: boolean): Promise<string> => {
    if (!available) throw unavailable(question, 'standard input and output must be terminals');
    const { askLine } = await import('./ask.ts');
    return askLine({ stdin, screen, signal, echo, question: printable(question) });
  };
  return {
    available,
    async confirm(question, flag) {
      if (settings.yes) return true;
      if (!available) throw unavailable(question, `add ${flag}`);
      if (/^y(es)?$/i.test((await ask(`${question} [y/N] `, true)).trim())) return true;
      throw usageError('nothing was done: not confirmed');
    },
    hidden: (question) => ask(question, false),
    text: (question) => ask(question, true),
    async choose(question, choices, tails = []) {
      if (!available) throw unavailable(question, 'standard input and output must be terminals');
      const rows = choices.map(({ cells }) => cells.map(printable));
      const asked = { question: printable(question), rows };
      const place = isDumb
        ? await byNumber(asked, screen, (text) => ask(text, true))
        : await (await import('./pick.ts')).pick({ ...asked, tails, stdin, screen, color, signal });
      const chosen = choices[place];
      if (chosen === undefined) throw new RangeError(`no choice ${place}`);
      return chosen.value;
    },
  };
}

const unavailable = (question: string, hint: string): Error =>
  usageError(`cannot ask "${question.trim()}" here`, hint);

interface Rows {
  readonly question: string;
  readonly rows: readonly (readonly string[])[];
}

/** Asks until it is one of those; resolves to its place. */
async function byNumber(
  { question, rows }: Rows,
  screen: OutputTarget,
  ask: (question: string) => Promise<string>,
): Promise<number> {
  const lines = rows.map((cells, at) => `  ${at + 1}) ${cells.filter(Boolean).join('  ')}\n`);
  screen.write(`${question}\n${lines.join('')}`);
  for (;;) {
    const answer = (await ask(`number (1-${rows.length}): `)).trim();
    const place = /^\d+$/.test(answer) ? Number(answer) - 1 : -1;
    if (place >= 0 && place < rows.length) return place;
  }
}
