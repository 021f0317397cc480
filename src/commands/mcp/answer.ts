/** Converts command output into the response to a tool call, truncated to a budget. */
import { Writable } from 'node:stream';
import { cleanText, dropHidden } from '../../common/untrusted-text.ts';
import type { AnswerKind } from './tools.ts';
import { parseJson, stringifyJson } from '../../api/json.ts';
import { usageError } from '../../errors.ts';
import type { Texts } from './call-tool.ts';

export interface ToolAnswer {
  [member: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
}

interface Outcome {
  readonly output: Output;
  readonly notes: string;
  /** The error, as JSON text. */
  readonly error: string | undefined;
  readonly exitCode: number;
}

/** `budget` is in bytes. If the command failed, the error precedes the output. */
export function answer(
  { output, notes, error, exitCode }: Outcome,
  kind: AnswerKind,
  budget: number,
): ToolAnswer {
  const first = error === undefined ? [] : [errorText(error, budget)];
  const last = notes.trim() === '' ? [] : [fitText(cleanText(notes).trim(), budget / 8, 'start')];
  const left = [...first, ...last].reduce((sum, text) => sum - bytesOf(text), budget - frame);
  const hasMain = output.text !== '' || (kind === 'list' && error === undefined);
  const texts = [...first, ...(hasMain ? [mainText(output, kind, left)] : []), ...last];
  return {
    // Clients read the first text item, and some clients reject an empty one.
    content: (texts.length === 0 ? ['nothing found'] : texts).map((text) => ({
      type: 'text',
      // Truncation may split an emoji and leave hidden characters behind.
      text: dropHidden(text),
    })),
    ...(exitCode !== 0 && { isError: true }),
  };
}

/** The response to a call that failed before its command ran. */
export const errorAnswer = (error: string, budget: number): ToolAnswer => ({
  content: [{ type: 'text', text: errorText(error, budget) }],
  isError: true,
});

/** Bytes reserved for the parts of the response around the text. */
const frame = 300;

const errorText = (error: string, budget: number): string =>
  fitJson(cleanValues(JSON.parse(error)), budget / 2, bytesOf).text;

// Converts the output of a command to the text of the response.

interface Output {
  readonly collector: Collector;
  /** Which part of the output is kept. */
  readonly part: 'start' | 'end';
  /** The output without hidden characters. */
  readonly text: string;
}

/** Returns at most `room` bytes of the output, and marks where it was truncated. */
function mainText(output: Output, kind: AnswerKind, room: number): string {
  if (kind === 'values')
    return lines(
      { ...output, text: output.text.split('\n').map(cleanLineOfJson).join('\n') },
      room,
    );
  const value = kind === 'text' ? undefined : jsonOf(output, kind);
  return value === undefined
    ? lines({ ...output, text: cleanText(output.text) }, room)
    : json(output, cleanValues(value), { kind, room });
}

/** Sanitizes values before they are written as JSON, because sanitizing may split a line. */
function cleanLineOfJson(line: string): string {
  try {
    return /^[[{"]/.test(line) ? stringifyJson(cleanValues(parseJson(line))) : cleanText(line);
  } catch {
    return cleanText(line);
  }
}

/** Sanitizes strings and field names, because a language model may read them. */
function cleanValues(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValues);
  // Numbers that JavaScript would round are objects, which stay unchanged.
  if (typeof value !== 'object' || value === null || 'isLosslessNumber' in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [cleanText(key), cleanValues(one)]),
  );
}

/** Undefined if the output is Markdown instead of JSON. */
function jsonOf({ collector, text }: Output, kind: AnswerKind): unknown {
  try {
    if (kind === 'list') return elements(text, collector.missing > 0);
    const value = parseJson(text);
    return kind === 'variables' ? masked(value) : value;
  } catch {
    if (kind !== 'variables') return undefined;
    throw new Error('the environment of the job is not valid JSON');
  }
}

/** One element per line. If the command was stopped early, the last line is incomplete. */
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

const shortened = '[truncated: request less data (limit, fields, jq) or increase max_bytes]';
const moreFollow = '"[truncated: more follow]"';

/** Marks a truncated list without a count, because the number of missing elements is unknown. */
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
  return `${some}${some.endsWith('\n') ? '' : '\n'}[truncated: more follows; ${hint}`;
}

/** A stream that keeps a limited number of bytes. */
interface Collector {
  readonly stream: Writable;
  /** The bytes that were kept, decoded as UTF-8. A split character becomes U+FFFD. */
  text(): string;
  /** Number of bytes that were dropped. */
  readonly missing: number;
}

/** `start` keeps the first bytes, then stops the writer with EPIPE; `end` keeps the last bytes. */
export function createCollector(limit: number, part: 'start' | 'end'): Collector {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let missing = 0;
  const take = (chunk: Uint8Array): boolean => {
    const bytes = part === 'start' ? chunk.subarray(0, limit - size) : chunk;
    missing += chunk.length - bytes.length;
    chunks.push(bytes);
    size += bytes.length;
    for (let [first] = chunks; first && size - first.length >= limit; [first] = chunks) {
      missing += first.length;
      size -= first.length;
      chunks.shift();
    }
    return missing === 0 || part === 'end';
  };
  const stream = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      done(take(chunk) ? undefined : Object.assign(new Error('enough'), { code: 'EPIPE' }));
    },
  });
  return {
    stream,
    text: () => Buffer.concat(chunks).toString(),
    get missing() {
      return missing;
    },
  };
}

// Truncates strings, lists and objects so that the result is still valid JSON.

/** The part of a value that fits into the budget */
interface Fitted {
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * The JSON text of a value. Its `cost` is at most `budget`. Truncation is marked in place:
 * `[truncated: 12 more]` at the end of a list, `…[truncated: 300 more characters]` at the end of a
 * string. Objects are truncated last, with a key `…`.
 */
export function fitJson(value: unknown, budget: number, cost: (text: string) => number): Fitted {
  const whole = write(value);
  if (cost(whole) <= budget) return { text: whole, isCut: false };
  for (const limits of steps) {
    const text = write(shorten(value, limits));
    if (cost(text) <= budget) return { text, isCut: true };
  }
  return { text: write('[truncated: too large; select fields]'), isCut: true };
}

interface Limits {
  readonly characters: number;
  readonly elements: number;
  readonly members: number;
}

/** Truncates strings first: listing more elements is more useful than complete strings. */
const steps: readonly Limits[] = [
  ...[4000, 1000, 300].map((characters) => ({
    ...{ characters, elements: Infinity, members: Infinity },
  })),
  ...[200, 150, 100, 70, 50, 35, 25, 18, 12, 8, 5, 3, 2, 1].map((elements) => ({
    ...{ characters: 300, elements, members: Infinity },
  })),
  ...[Infinity, 24, 20, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1].map((members) => ({
    ...{ characters: 60, elements: 1, members },
  })),
];

function shorten(value: unknown, limits: Limits): unknown {
  if (typeof value === 'string') return shortText(value, limits.characters);
  if (Array.isArray(value)) {
    const left = value.length - limits.elements;
    const some = value.slice(0, left > 0 ? limits.elements : undefined);
    const short = some.map((element) => shorten(element, limits));
    return left > 0 ? [...short, `[truncated: ${left} more]`] : short;
  }
  // Numbers that JavaScript would round are objects, which stay unchanged.
  if (typeof value !== 'object' || value === null || 'isLosslessNumber' in value) return value;
  const members = Object.entries(value);
  const left = members.length - limits.members;
  return Object.fromEntries([
    ...members.slice(0, limits.members).map(([key, one]) => [key, shorten(one, limits)] as const),
    ...(left > 0 ? [['…', `[truncated: ${left} more]`] as const] : []),
  ]);
}

function shortText(text: string, most: number): string {
  if (text.length <= most + 40) return text;
  const start = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${start}…[truncated: ${text.length - start.length} more characters]`;
}

const write = (value: unknown): string => stringifyJson(value);

/** The first or last lines within a budget in bytes. Drops a partial line unless it is long. */
export function fitText(text: string, budget: number, part: 'start' | 'end'): string {
  if (bytesOf(text) <= budget) return text;
  return part === 'start' ? firstOf(text, budget) : lastOf(text, budget);
}

function firstOf(text: string, budget: number): string {
  const start = text.slice(
    0,
    largest(text.length, (n) => bytesOf(text.slice(0, n)) <= budget),
  );
  const line = start.lastIndexOf('\n') + 1;
  return line > start.length / 2 ? start.slice(0, line) : start.replace(/[\ud800-\udbff]$/, '');
}

function lastOf(text: string, budget: number): string {
  const from = (n: number): string => text.slice(text.length - n);
  const end = from(largest(text.length, (n) => bytesOf(from(n)) <= budget));
  if (text.endsWith(`\n${end}`)) return end;
  const line = end.indexOf('\n') + 1;
  return line > 0 && line < end.length / 2 ? end.slice(line) : end.replace(/^[\udc00-\udfff]/, '');
}

function largest(most: number, fits: (n: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Default size of a response in bytes, small enough for a small context window. */
export const usualBytes = 32_768;
export const mostBytes = 262_144;
const leastBytes = 1024;

/** The maximum size of a response in bytes, encoded as JSON. */
export function budgetOf(texts: Texts): number {
  const [text] = texts.get('max_bytes') ?? [];
  if (text === undefined) return usualBytes;
  const bytes = Number(text);
  if (!Number.isInteger(bytes) || bytes < leastBytes || bytes > mostBytes)
    throw usageError(`max_bytes must be between ${leastBytes} and ${mostBytes}, not ${text}`);
  return bytes;
}

/** The number of bytes that `text` needs in a response, which is JSON. */
export const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));
