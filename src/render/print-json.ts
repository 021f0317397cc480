import { stringifyJson } from '../api/json.ts';
import type { PrintContext } from './print-context.ts';
import { cleanText, escapeJson } from './text.ts';

/** Prints one value as JSON, or what `--jq` makes of it; on a terminal indented, else one line. */
export async function printJson(context: PrintContext, value: unknown): Promise<void> {
  if (context.settings.jq !== undefined) return runOn(context, stringifyJson(value));
  await context.write(`${jsonText(context, value)}\n`);
}

/** Prints what the program of `--jq` makes of a JSON text; a failure comes after its values. */
export async function runOn(context: PrintContext, json: string): Promise<void> {
  const { runJq } = await import('./jq.ts');
  const program = context.settings.jq ?? '.';
  const { values, notes, failure } = await runJq(program, json, {
    indent: isIndented(context),
    signal: context.signal,
  });
  const text = values.map((value) => `${value}\n`).join('');
  if (text !== '') await context.write(context.stream.isTerminal ? cleanText(text) : text);
  if (notes !== '') context.messages.note(notes);
  if (failure !== undefined) throw failure;
}

/** A value as JSON text in the form that fits where it goes; no newline at its end. */
export function jsonText(context: PrintContext, value: unknown): string {
  const text = stringifyJson(value, isIndented(context) ? 2 : undefined);
  return context.stream.isTerminal ? escapeJson(text) : text;
}

/** People read indented JSON, programs and `grep` one element a line. */
const isIndented = ({ format, stream }: PrintContext): boolean =>
  stream.isTerminal && format !== 'jsonl';
