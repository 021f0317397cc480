/** JSON values made smaller, so that they stay JSON: texts, lists and objects lose their ends. */
import { stringifyJson } from '../../api/json.ts';
import { usageError } from '../../errors.ts';
import type { Texts } from './call-tool.ts';

/** A value within a number of bytes, and whether anything is missing from it. */
interface Fitted {
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * The JSON text of a value, at most `budget` by `cost`. What is cut says so in its place:
 * `[truncated: 12 more]` behind a list, as the member `…` of an object where nothing else helps, and
 * `…[truncated: 300 more characters]` behind a text.
 */
export function fitJson(value: unknown, budget: number, cost: (text: string) => number): Fitted {
  const whole = write(value);
  if (cost(whole) <= budget) return { text: whole, isCut: false };
  for (const limits of steps) {
    const text = write(shorten(value, limits));
    if (cost(text) <= budget) return { text, isCut: true };
  }
  return { text: write('[truncated: too large; choose fields]'), isCut: true };
}

interface Limits {
  readonly characters: number;
  readonly elements: number;
  readonly members: number;
}

/** Texts first: of forty jobs the fortieth says more than the second page of a message. */
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
  // Numbers that JavaScript would round are objects of a class.
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

/**
 * Lines within a budget of bytes, whole ones where that leaves half of it: the first of them, or the
 * last.
 */
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

/** The largest number up to `most` that fits, where all below it fit too. */
function largest(most: number, fits: (n: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Bytes of an answer: about as many as a reader with a small memory can take at once. */
export const usualBytes = 32_768;
export const mostBytes = 262_144;
const leastBytes = 1024;

/** The bytes that the answer to a call may take, as JSON of the protocol. */
export function budgetOf(texts: Texts): number {
  const [text] = texts.get('max_bytes') ?? [];
  if (text === undefined) return usualBytes;
  const bytes = Number(text);
  if (!Number.isInteger(bytes) || bytes < leastBytes || bytes > mostBytes)
    throw usageError(`max_bytes is ${leastBytes} to ${mostBytes}, not ${text}`);
  return bytes;
}

/** What a text takes of it. */
export const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));
