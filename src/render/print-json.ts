import { stringifyJson } from '../api/json.ts';
import type { Printing } from './printing.ts';
import { cleanText, escapeJson } from './text.ts';

/** Prints one value as JSON, or what `--jq` makes of it; on a terminal indented, else one line. */
export async function printJson(printing: Printing, value: unknown): Promise<void> {
  if (printing.settings.jq !== undefined) return runOn(printing, stringifyJson(value));
  await printing.write(`${jsonText(printing, value)}\n`);
}

/** Prints what the program of `--jq` makes of a JSON text; a failure comes after its values. */
export async function runOn(printing: Printing, json: string): Promise<void> {
  const { runJq } = await import('./jq.ts');
  const program = printing.settings.jq ?? '.';
  const { values, notes, failure } = await runJq(program, json, {
    indent: isIndented(printing),
    signal: printing.signal,
  });
  const text = values.map((value) => `${value}\n`).join('');
  if (text !== '') await printing.write(printing.stream.isTerminal ? cleanText(text) : text);
  if (notes !== '') printing.messages.note(notes);
  if (failure !== undefined) throw failure;
}

/** A value as JSON text in the form that fits where it goes; no newline at its end. */
export function jsonText(printing: Printing, value: unknown): string {
  const text = stringifyJson(value, isIndented(printing) ? 2 : undefined);
  return printing.stream.isTerminal ? escapeJson(text) : text;
}

/** People read indented JSON, programs and `grep` one element a line. */
const isIndented = ({ format, stream }: Printing): boolean =>
  stream.isTerminal && format !== 'jsonl';
