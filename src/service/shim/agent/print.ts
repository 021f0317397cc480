import { readFileSync } from 'node:fs';
import { stderr, stdin, stdout } from 'node:process';
import { type Given, AgentError } from './command.ts';

export function note(given: Given, text: string): void {
  if (!/^(?:error|fatal)$/.test(given.text('log-level'))) stderr.write(`${text}\n`);
}

export const print = (text: string): void => void stdout.write(text);

/** Reads all of standard input. Returns an empty string if it is a terminal. */
export async function readInput(): Promise<string> {
  return stdin.isTTY ? '' : textOf(stdin);
}

export async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Reads a file. If that fails, throws an `AgentError` whose message starts with `what`. */
export function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AgentError(`${what} ${path}: ${(error as Error).message}`);
  }
}

/** Returns the value of a flag. Throws `AgentError` unless the value is one of `choices`. */
export function formatOf<T extends string>(given: Given, flag: string, choices: readonly T[]): T {
  const text = given.text(flag);
  const found = choices.find((choice) => choice === text);
  if (found === undefined)
    throw new AgentError(`--${flag} must be one of ${choices.join(', ')}, not "${text}"`);
  return found;
}

export const asJson = (format: string, value: unknown): string =>
  JSON.stringify(value, null, format === 'json-pretty' ? 2 : 0);

/** Sorts entries by name, as in the output of the public agent. */
export const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
