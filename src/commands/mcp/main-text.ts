/** The output of a command as the text of an answer. */
import { parseJson } from '../../api/json.ts';
import { cleanText } from '../../untrusted-text.ts';
import { bytesOf } from './budget.ts';
import type { Collector } from './collector.ts';
import { fitJson } from './fit-json.ts';
import { fitText } from './fit-text.ts';
import type { AnswerKind } from './tool.ts';

export interface Output {
  readonly collector: Collector;
  /** Which part of it was to be read. */
  readonly part: 'start' | 'end';
  /** Its text without what must not be seen. */
  readonly text: string;
}

/** At most `room` bytes; what is cut says so. */
export function mainText(output: Output, kind: AnswerKind, room: number): string {
  const value = kind === 'text' ? undefined : jsonOf(output, kind);
  return value === undefined
    ? lines({ ...output, text: cleanText(output.text) }, room)
    : json(output, cleanValues(value), { kind, room });
}

/** The value with its strings and keys sanitized: a program that reads it may be a language model. */
export function cleanValues(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValues);
  // Numbers that JavaScript would round are objects of a class.
  if (typeof value !== 'object' || value === null || 'isLosslessNumber' in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [cleanText(key), cleanValues(one)]),
  );
}

/** Undefined for what is no JSON: Markdown. */
function jsonOf({ collector, text }: Output, kind: AnswerKind): unknown {
  try {
    if (kind === 'list') return elements(text, collector.missing > 0);
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

interface Room {
  readonly kind: AnswerKind;
  readonly room: number;
}

function json({ collector }: Output, value: unknown, { kind, room }: Room): string {
  const { text, isCut } = fitJson(value, room - bytesOf(shortened) - bytesOf(moreFollow), bytesOf);
  const hasMore = kind === 'list' && collector.missing > 0;
  if (!hasMore && !isCut) return text;
  return `${hasMore ? withMore(text) : text}\n${shortened}`;
}

const shortened = '[truncated: ask for less (limit, fields, jq) or give a larger max_bytes]';
const moreFollow = '"[truncated: more follow]"';

/** The list with its end in words: how many there are is not known. */
const withMore = (list: string): string =>
  list.replace(
    /(,?)(?:"\[truncated: \d+ more\]")?\]$/,
    (_, comma: string) => `${comma === '' && list !== '[]' ? ',' : comma}${moreFollow}]`,
  );

function lines({ collector, part, text }: Output, room: number): string {
  const hint = 'use grep, group, head, tail or a larger max_bytes]';
  const some = fitText(text, room - bytesOf(hint) - 50, part);
  const missing = collector.missing + Buffer.byteLength(text) - Buffer.byteLength(some);
  if (missing === 0) return some;
  if (part === 'end') return `[truncated: the first ${missing} bytes; ${hint}\n${some}`;
  return `${some}${some.endsWith('\n') ? '' : '\n'}[truncated: what follows; ${hint}`;
}
