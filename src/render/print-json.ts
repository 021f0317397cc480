import { stringifyJson } from '../api/json.ts';
import type { JqResult } from './jq.ts';
import { paintJson } from './lay-out-json.ts';
import type { PrintContext } from './print-context.ts';
import { cleanText, escapeJson } from '../common/untrusted-text.ts';

/** Prints one value as JSON, or what `--jq` makes of it; on a terminal indented, else one line. */
export async function printJson(context: PrintContext, value: unknown): Promise<void> {
  if (context.settings.jq !== undefined) return runOn(context, stringifyJson(value));
  await context.write(`${jsonText(context, value)}\n`);
}

/** Prints what a program, that of `--jq`, makes of a JSON text; a failure comes after its values. */
export async function runOn(
  context: PrintContext,
  json: string,
  program = context.settings.jq ?? '.',
): Promise<void> {
  const { runJq } = await import('./jq.ts');
  const { signal } = context;
  await printJq(context, await runJq(program, json, { indent: isIndented(context), signal }));
}

/** Prints what came out of jq. */
export async function printJq(context: PrintContext, result: JqResult): Promise<void> {
  const text = jqText(context, result);
  if (text !== '') await context.write(text);
  if (result.notes !== '') context.messages.note(result.notes);
  if (result.failure !== undefined) throw result.failure;
}

/** Values of jq, each on lines of its own. */
export function jqText(
  { stream, colors }: PrintContext,
  { values }: Pick<JqResult, 'values'>,
): string {
  if (!stream.isTerminal) return values.map((value) => `${value}\n`).join('');
  const paint = (text: string): string => (isOpenJson(text) ? paintJson(text, colors) : text);
  return values.map((value) => `${paint(cleanText(value))}\n`).join('');
}

/** Texts come out raw, so that of single values nobody knows whether they are JSON. */
const isOpenJson = (text: string): boolean => /^(?:\{\s*["}]|\[)/.test(text);

/** A value as JSON text in the form that fits where it goes; no newline at its end. */
export function jsonText(context: PrintContext, value: unknown): string {
  const text = stringifyJson(value, isIndented(context) ? 2 : undefined);
  return context.stream.isTerminal ? paintJson(escapeJson(text), context.colors) : text;
}

/** People read indented JSON, programs and `grep` one element a line. */
export const isIndented = ({ format, stream }: PrintContext): boolean =>
  stream.isTerminal && format !== 'jsonl';
