import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { onAbort } from '../common/abort.ts';
import { CictlError, usageError } from '../errors.ts';
import type { OutputTarget } from './streams.ts';

export interface Question {
  readonly stdin: NodeJS.ReadableStream;
  /** The terminal that shows the question */
  readonly screen: OutputTarget;
  readonly question: string;
  /** Whether the input is visible */
  readonly echo: boolean;
  readonly signal: AbortSignal;
}

/**
 * Prompts for one line. Throws `CictlError`: `interrupted` on Ctrl-C, `usage` if the input ends, or
 * the reason of the signal.
 */
export function askLine({ stdin, screen, question, echo, signal }: Question): Promise<string> {
  signal.throwIfAborted();
  const output = echo ? screen : nowhere();
  const editor = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  if (!echo) screen.write(question);
  let isAnswered = false;
  return new Promise<string>((resolve, reject) => {
    onAbort(signal, reject);
    editor.on('SIGINT', () => reject(new CictlError('interrupted', 'interrupted')));
    editor.on('close', () => reject(usageError('nothing was done: no answer')));
    editor.question(echo ? question : '', (line) => {
      isAnswered = true;
      resolve(line);
    });
  }).finally(() => {
    editor.close();
    // The newline of a hidden line is not echoed, and an unfinished line leaves the cursor in it.
    if (!echo || !isAnswered) screen.write('\n');
  });
}

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
