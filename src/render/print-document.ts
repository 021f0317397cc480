import { NestingError, parseJson } from '../api/json.ts';
import { CictlError } from '../errors.ts';
import { layOutJson } from './lay-out-json.ts';
import { printJson, runOn } from './print-json.ts';
import type { PrintContext } from './print-context.ts';
import { cleanText, escapeJson } from '../common/untrusted-text.ts';

/**
 * Prints a JSON text as the service sent it. `--jq` and an explicit `-o json|jsonl|yaml` give it
 * another form; what is no JSON then ends with code 9.
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

/** What `--jq` makes of a JSON text, as it would be printed in a pipe. */
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

/** Untouched in a pipe; on a terminal laid out for people, without control characters. */
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
    const what = cause instanceof NestingError ? cause.message : 'no JSON';
    throw new CictlError('invalid_response', `the answer of the service is ${what}`, { cause });
  }
}
