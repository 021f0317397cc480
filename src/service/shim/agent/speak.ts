/** What the program says, beside what it was asked for. */
import { stderr, stdin, stdout } from 'node:process';
import type { Given } from './command.ts';

/** For whoever reads the log. */
export function note(given: Given, text: string): void {
  if (!/^(?:error|fatal)$/.test(given.text('log-level'))) stderr.write(`${text}\n`);
}

/** What was asked for. */
export const print = (text: string): void => void stdout.write(text);

/** All of standard input; empty where it is a terminal. */
export async function readInput(): Promise<string> {
  if (stdin.isTTY) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
