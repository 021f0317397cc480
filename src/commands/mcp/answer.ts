/** What a caller gets: the output of a command within its budget, cuts marked. */
import { parseJson } from '../../api/json.ts';
import { bytesOf } from './budget.ts';
import type { Collector } from './collector.ts';
import { fitJson } from './fit-json.ts';
import { fitText } from './fit-text.ts';
import type { AnswerKind } from './tool.ts';

/** The result of `tools/call`. */
export interface ToolAnswer {
  [member: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
}

/** How a command ended. */
export interface Outcome {
  readonly output: Collector;
  /** Which part of the output was to be read. */
  readonly part: 'start' | 'end';
  /** What it said on standard error. */
  readonly notes: string;
  /** One line of JSON where it failed. */
  readonly error: string | undefined;
  readonly exitCode: number;
}

interface Options {
  readonly kind: AnswerKind;
  /** Bytes of the whole answer. */
  readonly budget: number;
  /** Takes out what must not be seen. It gets every text before anything is cut from it. */
  readonly redact: (text: string) => string;
}

/** Bytes of the answer that are no text of ours. */
const frame = 300;
const mostNotes = 1000;

export function answer(outcome: Outcome, { kind, budget, redact }: Options): ToolAnswer {
  const { error, exitCode } = outcome;
  const extra = [error, outcome.notes.trim()].flatMap((text) =>
    text === undefined || text === '' ? [] : [fitText(redact(text), mostNotes, 'start')],
  );
  const left = budget - frame - extra.reduce((sum, text) => sum + bytesOf(text), 0);
  const main = mainText(outcome, redact(outcome.output.text()), { kind, left });
  const texts = error === undefined ? [main, ...extra] : [...extra, main];
  return {
    content: texts.filter((text) => text !== '').map((text) => ({ type: 'text' as const, text })),
    ...(exitCode !== 0 && { isError: true }),
  };
}

interface Room {
  readonly kind: AnswerKind;
  /** Bytes for the main text and the mark of a cut. */
  readonly left: number;
}

function mainText(outcome: Outcome, text: string, { kind, left }: Room): string {
  if (text === '') return outcome.error === undefined && kind === 'list' ? '[]' : '';
  if (kind === 'text') return lines(outcome, text, left);
  const value = jsonOf(outcome, text, kind);
  if (value === undefined) return lines(outcome, text, left);
  const room = left - bytesOf(shortened) - bytesOf(moreFollow);
  const { text: json, isCut } = fitJson(value, room, bytesOf);
  const hasMore = kind === 'list' && outcome.output.missing > 0;
  if (!hasMore && !isCut) return json;
  return `${hasMore ? withMore(json) : json}\n${shortened}`;
}

/** The list with its end in words: how many there are is not known. */
const withMore = (list: string): string =>
  list.replace(
    /(,?)(?:"\[truncated: \d+ more\]")?\]$/,
    (_, comma: string) => `${comma === '' && list !== '[]' ? ',' : comma}${moreFollow}]`,
  );
const moreFollow = '"[truncated: more follow]"';

const shortened = '[truncated: ask for less (limit, fields, jq) or give a larger max_bytes]';

/** Undefined for what is no JSON: the output of a jq program, Markdown. */
function jsonOf({ output }: Outcome, text: string, kind: AnswerKind): unknown {
  try {
    if (kind === 'list') return elements(text, output.missing > 0);
    const value = parseJson(text);
    return kind === 'variables' ? masked(value) : value;
  } catch {
    if (kind !== 'variables') return undefined;
    throw new Error('the environment of the job is no JSON');
  }
}

/** One a line; the last line is not whole where the command was ended early. */
function elements(text: string, isCut: boolean): unknown[] {
  const whole = isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  return whole.split('\n').flatMap((line) => (line === '' ? [] : [parseJson(line)]));
}

function masked(value: unknown): unknown {
  const { env } = value as { env?: Record<string, unknown> | null };
  return { env: Object.fromEntries(Object.keys(env ?? {}).map((name) => [name, '********'])) };
}

function lines({ output, part }: Outcome, text: string, left: number): string {
  const mark = '[truncated: N bytes of it; use grep, group, head, tail or a larger max_bytes]';
  const some = fitText(text, left - bytesOf(mark) - 20, part);
  const missing = output.missing + Buffer.byteLength(text) - Buffer.byteLength(some);
  if (missing === 0) return some;
  if (part === 'end') return `${mark.replace('N', `the first ${missing}`)}\n${some}`;
  const end = some.endsWith('\n') ? '' : '\n';
  return `${some}${end}${mark.replace('N bytes of it', 'what follows')}`;
}
