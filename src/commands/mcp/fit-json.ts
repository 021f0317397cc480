/** JSON values made smaller, so that they stay JSON: texts, lists and objects lose their ends. */

import { stringifyJson } from '../../api/json.ts';

/** A value within a number of bytes, and whether anything is missing from it. */
export interface Fitted {
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
