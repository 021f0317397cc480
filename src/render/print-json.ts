import { NestingError, parseJson, stringifyJson } from '../api/json.ts';
import { CictlError } from '../errors.ts';
import type { PrintContext } from './print-context.ts';
import { cleanText, escapeJson } from '../common/untrusted-text.ts';
import type { JqResult } from './jq/jq.ts';
import type { Colors } from './colors.ts';

/**
 * Prints JSON as the service sent it, unless `--jq` or an explicit `-o json|jsonl|yaml` changes it.
 * In that case, malformed JSON leads to exit code 9.
 */
export async function printDocument(context: PrintContext, json: string): Promise<void> {
  const { jq, output } = context.settings;
  if (jq !== undefined) {
    parse(json);
    return runOn(context, json);
  }
  if (output === 'json' || output === 'jsonl') return printJson(context, parse(json));
  if (output !== 'yaml') return context.write(asItCame(context, json));
  await context.writeYaml(parse(json));
}

/** Returns the text that `--jq` would print in a pipe. */
export async function filterDocument(context: PrintContext, json: string): Promise<string> {
  parse(json);
  let text = '';
  const write = (piece: string | Uint8Array): Promise<void> => {
    text += String(piece);
    return Promise.resolve();
  };
  await runOn({ ...context, stream: { ...context.stream, isTerminal: false }, write }, json);
  return text;
}

/** Unchanged in a pipe. On a terminal, JSON is formatted and control characters are removed. */
function asItCame({ stream, colors }: PrintContext, text: string): string {
  if (!stream.isTerminal) return text;
  const printable = cleanText(escapeJson(text));
  const shown = isJson(text) ? layOutJson(printable, colors) : printable;
  return shown.endsWith('\n') ? shown : `${shown}\n`;
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

function parse(json: string): unknown {
  try {
    return parseJson(json);
  } catch (cause) {
    const what = cause instanceof NestingError ? cause.message : 'not valid JSON';
    throw new CictlError('invalid_response', `the response is ${what}`, { cause });
  }
}

/** Indents JSON on a terminal; otherwise prints it on one line. Applies `--jq`. */
export async function printJson(context: PrintContext, value: unknown): Promise<void> {
  if (context.settings.jq !== undefined) return runOn(context, stringifyJson(value));
  await context.write(`${jsonText(context, value)}\n`);
}

/** Prints the result of `--jq`. A failure is thrown after the values are printed. */
export async function runOn(
  context: PrintContext,
  json: string,
  program = context.settings.jq ?? '.',
): Promise<void> {
  const { runJq } = await import('./jq/jq.ts');
  const { signal } = context;
  await printJq(context, await runJq(program, json, { indent: isIndented(context), signal }));
}

export async function printJq(context: PrintContext, result: JqResult): Promise<void> {
  const text = jqText(context, result);
  if (text !== '') await context.write(text);
  if (result.notes !== '') context.messages.note(result.notes);
  if (result.failure !== undefined) throw result.failure;
}

export function jqText(
  { stream, colors }: PrintContext,
  { values }: Pick<JqResult, 'values'>,
): string {
  if (!stream.isTerminal) return values.map((value) => `${value}\n`).join('');
  const paint = (text: string): string => (isOpenJson(text) ? paintJson(text, colors) : text);
  return values.map((value) => `${paint(cleanText(value))}\n`).join('');
}

/** Strings are printed raw, so only objects and arrays are certain to be JSON. */
const isOpenJson = (text: string): boolean => /^(?:\{\s*["}]|\[)/.test(text);

/** Without a trailing newline. */
export function jsonText(context: PrintContext, value: unknown): string {
  const text = stringifyJson(value, isIndented(context) ? 2 : undefined);
  return context.stream.isTerminal ? paintJson(escapeJson(text), context.colors) : text;
}

/** On a terminal, JSON is indented. Scripts get one element per line. */
export const isIndented = ({ format, stream }: PrintContext): boolean =>
  stream.isTerminal && format !== 'jsonl';

/**
 * Indents and colors valid JSON without parsing it, to keep numbers, escapes and duplicate names.
 */
export function layOutJson(json: string, colors: Colors): string {
  let text = '';
  let depth = 0;
  const tokens = json.match(tokenPattern) ?? [];
  for (const [at, token] of tokens.entries()) {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (closing.has(token)) depth -= 1;
    if (breaksBefore(token, before)) text += lineBreak(depth);
    text += painted(token, next, colors);
    if (opening.has(token)) depth += 1;
  }
  return text;
}

export const paintJson = (json: string, colors: Colors): string =>
  json.replace(
    coloured,
    (_, token: string, colon?: string) =>
      painted(token, colon === undefined ? undefined : ':', colors) + (colon ?? ''),
  );

const tokenPattern = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"{}[\],:]+|[{}[\],:]/g;
const coloured = /("[^"\\]*(?:\\.[^"\\]*)*"|[^\s"{}[\],:]+)(\s*:)?/g;
const opening = new Set(['{', '[']);
const closing = new Set(['}', ']']);

const lineBreak = (depth: number): string => `\n${'  '.repeat(depth)}`;

/** Empty arrays and objects stay on one line. */
const breaksBefore = (token: string, before: string | undefined): boolean =>
  closing.has(token)
    ? !opening.has(before ?? '')
    : before === ',' || (before !== undefined && opening.has(before));

function painted(token: string, next: string | undefined, colors: Colors): string {
  if (token === ':') return ': ';
  if (token.startsWith('"')) return next === ':' ? colors.bold(token) : colors.green(token);
  if (token === 'null') return colors.dim(token);
  return /^[\w-]/.test(token) ? colors.cyan(token) : token;
}
