import type { Edge, Regex, State } from './parse-regex.ts';

/** Whether the pattern is found anywhere in the text: states times characters, and no more. */
export function matchesRegex(regex: Regex, text: string): boolean {
  return run({ regex, chars: Array.from(text), ahead: new Map() }, 0, true);
}

interface Search {
  readonly regex: Regex;
  readonly chars: readonly string[];
  /** What came of looking ahead, by place, for each of the patterns inside. */
  readonly ahead: Map<Regex, Map<number, boolean>>;
}

/** All states at once, a character at a time. `anywhere`: also from each later place on. */
function run(search: Search, from: number, anywhere: boolean): boolean {
  const { chars, regex } = search;
  let current = new Set<number>();
  for (let place = from; ; place++) {
    if (anywhere || place === from) enter(search, current, regex.start, place);
    if (current.has(0)) return true;
    const char = chars[place];
    if (char === undefined || (current.size === 0 && !anywhere)) return false;
    const next = new Set<number>();
    for (const index of current) {
      const state = regex.states[index];
      if (state?.kind === 'char' && state.test(char)) enter(search, next, state.next, place + 1);
    }
    current = next;
  }
}

/** A state and all that are reached from it without a character. */
function enter(search: Search, into: Set<number>, start: number, place: number): void {
  const open = [start];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (into.has(index)) continue;
    into.add(index);
    const state = search.regex.states[index];
    if (state !== undefined) open.push(...reached(search, state, place));
  }
}

function reached(search: Search, state: State, place: number): readonly number[] {
  switch (state.kind) {
    case 'split':
      return state.next;
    case 'edge':
      return isAt(state.edge, search.chars, place) ? [state.next] : [];
    case 'ahead':
      return looksAhead(search, state.regex, place) !== state.isNegated ? [state.next] : [];
    default:
      return [];
  }
}

function looksAhead({ chars, ahead }: Search, regex: Regex, place: number): boolean {
  const known = ahead.get(regex) ?? new Map<number, boolean>();
  ahead.set(regex, known);
  const found = known.get(place) ?? run({ regex, chars, ahead }, place, false);
  known.set(place, found);
  return found;
}

function isAt(edge: Edge, chars: readonly string[], place: number): boolean {
  switch (edge) {
    case 'start':
      return place === 0;
    case 'end':
      return place === chars.length;
    case 'last line':
      return place >= chars.length - (chars.at(-1) === '\n' ? 1 : 0);
    default: {
      const isEdge = isWord(chars[place - 1]) !== isWord(chars[place]);
      return isEdge === (edge === 'word');
    }
  }
}

const isWord = (char: string | undefined): boolean => char !== undefined && /^\w$/.test(char);
