import { Writable } from 'node:stream';
import { CictlError, usageError } from '../errors.ts';
import { onAbort } from '../common/abort.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import type { Secrets } from './secrets.ts';
import type { OutputTarget } from './streams.ts';

export interface Prompts {
  readonly available: boolean;
  /**
   * Resolves immediately with `--yes`. If the user declines or cannot be asked, throws a usage
   * error that names `flag`.
   */
  confirm(question: string, flag: string): Promise<true>;
  hidden(question: string): Promise<string>;
  text(question: string): Promise<string>;
  /** Lets the user choose with arrow keys or by typing; on a dumb terminal, by number. */
  choose<T>(question: string, choices: readonly Choice<T>[], tails?: readonly number[]): Promise<T>;
}

export interface Choice<T> {
  readonly cells: readonly string[];
  readonly value: T;
}

export interface PromptsParts {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: OutputTarget;
  readonly stderr: OutputTarget;
  /** Whether the terminal does not support moving the cursor. Defaults to false */
  readonly isDumb?: boolean;
  /** Whether the terminal that shows the prompts supports color. Defaults to false. */
  readonly color?: boolean;
  /** `input`: whether prompts are allowed; `yes`: whether `--yes` confirms everything */
  readonly settings: { readonly input: boolean; readonly yes: boolean };
  readonly signal: AbortSignal;
  readonly secrets: Secrets;
}

export function createPrompts(parts: PromptsParts): Prompts {
  const { stdin, stdout, stderr, settings, signal, secrets, isDumb = false, color = false } = parts;
  const available = settings.input && stdin.isTTY === true && stdout.isTTY === true;
  // Prompts go to standard error, as messages do. If it is redirected, the user does not see them.
  const screen = stderr.isTTY === true ? stderr : stdout;
  const printable = (text: string): string => secrets.redact(cleanLine(text));
  const ask = async (question: string, echo: boolean): Promise<string> => {
    if (!available) throw unavailable(question, 'standard input and output must be terminals');
    return askLine({ stdin, screen, signal, echo, question: printable(question) });
  };
  return {
    available,
    async confirm(question, flag) {
      if (settings.yes) return true;
      if (!available) throw unavailable(question, `add ${flag}`);
      if (/^y(es)?$/i.test((await ask(`${question} [y/N] `, true)).trim())) return true;
      throw usageError('canceled: not confirmed');
    },
    hidden: (question) => ask(question, false),
    text: (question) => ask(question, true),
    async choose(question, choices, tails = []) {
      if (!available) throw unavailable(question, 'standard input and output must be terminals');
      const rows = choices.map(({ cells }) => cells.map(printable));
      const asked = { question: printable(question), rows };
      const index = isDumb
        ? await byNumber(asked, screen, (text) => ask(text, true))
        : await (await import('./pick.ts')).pick({ ...asked, tails, stdin, screen, color, signal });
      const chosen = choices[index];
      if (chosen === undefined) throw new RangeError(`there is no option ${index}`);
      return chosen.value;
    },
  };
}

const unavailable = (question: string, hint: string): Error =>
  usageError(`cannot prompt here: ${question.trim()}`, hint);

interface Question {
  readonly stdin: NodeJS.ReadableStream;
  readonly screen: OutputTarget;
  readonly question: string;
  readonly echo: boolean;
  readonly signal: AbortSignal;
}

/**
 * Throws `interrupted` on Ctrl-C, `usage` if the input ends, or the reason of an aborted signal.
 */
async function askLine({ stdin, screen, question, echo, signal }: Question): Promise<string> {
  const { createInterface } = await import('node:readline');
  signal.throwIfAborted();
  const output = echo ? screen : new Writable({ write: (_chunk, _encoding, done) => done() });
  const editor = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  if (!echo) screen.write(question);
  let isAnswered = false;
  return new Promise<string>((resolve, reject) => {
    onAbort(signal, reject);
    editor.on('SIGINT', () => reject(new CictlError('interrupted', 'interrupted')));
    editor.on('close', () => reject(usageError('canceled: no answer')));
    editor.question(echo ? question : '', (line) => {
      isAnswered = true;
      resolve(line);
    });
  }).finally(() => {
    editor.close();
    // The newline after hidden input is not echoed. Unfinished input leaves the cursor in the line.
    if (!echo || !isAnswered) screen.write('\n');
  });
}

async function byNumber(
  { question, rows }: { question: string; rows: readonly (readonly string[])[] },
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
