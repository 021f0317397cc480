import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { decodeText } from '../read-value.ts';

/** Bytes: a process gets no longer variable. */
const largest = 100_000;

/**
 * A secret from standard input, on a terminal from a question that shows nothing. The end of a
 * single line is no part of it, that of several lines is: keys need it. Code 2 for what no
 * variable can be.
 */
export async function readSecretValue(name: string, context: Context): Promise<string> {
  const value = await read(name, context);
  context.secrets.add(value);
  if (value === '') throw usageError(`no value for secret ${name}: standard input is empty`);
  if (value.includes('\0')) throw usageError(`the value of secret ${name} has a NUL byte`);
  if (Buffer.byteLength(value) > largest)
    throw usageError(`the value of secret ${name} is longer than ${largest} bytes`);
  return value;
}

async function read(name: string, { stdin, prompts }: Context): Promise<string> {
  if (prompts.available) return prompts.hidden(`${name}: `);
  if (stdin.isTerminal)
    throw usageError(
      `no value for secret ${name}: nobody can be asked here`,
      'give it on standard input',
    );
  const text = decodeText(
    await stdin.read(`secret ${name}`, largest),
    `the value of secret ${name}`,
  );
  return /^[^\n]*\n$/.test(text) ? text.replace(/\r?\n$/, '') : text;
}
