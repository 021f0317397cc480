/**
 * Regular expressions that match in linear time. A pattern becomes an automaton that takes at most
 * one step per state and character. `RegExp` can take exponential time for `(a+)+$`.
 */

type State =
  | { readonly kind: 'char'; readonly test: CharTest; readonly next: number }
  | { readonly kind: 'split'; readonly next: readonly number[] }
  | { readonly kind: 'edge'; readonly edge: Edge; readonly next: number }
  | {
      readonly kind: 'ahead';
      readonly regex: Regex;
      readonly isNegated: boolean;
      readonly next: number;
    }
  | { readonly kind: 'done' };

/** `word` is a word boundary; `inside` is any other position. */
type Edge = 'start' | 'end' | 'last line' | 'word' | 'inside';

export interface Regex {
  readonly states: readonly State[];
  readonly start: number;
}

type Refuse = (message: string, offset: number) => never;

/** Adds a part of the pattern before the state `next`. Returns the first state of the part. */
type Part = (states: State[], next: number) => number;

interface Pattern {
  readonly source: string;
  readonly ignoreCase: boolean;
  readonly refuse: Refuse;
  index: number;
  depth: number;
}

const maxStates = 2000;
const maxDepth = 50;

/** `refuse` is called with a message and an offset in the pattern, and must throw. */
export function parseRegex(source: string, ignoreCase: boolean, refuse: Refuse): Regex {
  const pattern: Pattern = { source, ignoreCase, refuse, index: 0, depth: 0 };
  const part = alternatives(pattern);
  if (pattern.index < source.length) refuse('`)` has no matching `(`', pattern.index);
  return machine(pattern, part);
}

function machine({ refuse }: Pattern, part: Part): Regex {
  const states: State[] = [{ kind: 'done' }];
  const start = part(states, 0);
  if (states.length > maxStates) refuse('the regular expression is too large', 0);
  return { states, start };
}

const add = (states: State[], state: State): number => {
  if (states.length <= maxStates) states.push(state);
  return states.length - 1;
};

function alternatives(pattern: Pattern): Part {
  const parts = [sequence(pattern)];
  while (pattern.source[pattern.index] === '|') {
    pattern.index++;
    parts.push(sequence(pattern));
  }
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return (states, next) =>
    add(states, { kind: 'split', next: parts.map((part) => part(states, next)) });
}

function sequence(pattern: Pattern): Part {
  const parts: Part[] = [];
  const { source } = pattern;
  while (pattern.index < source.length && !'|)'.includes(source[pattern.index] ?? ''))
    parts.push(repeated(pattern, atom(pattern)));
  return (states, next) => parts.reduceRight((after, part) => part(states, after), next);
}

const quantifier = /([*+?]|\{(\d+)(,(\d*))?\})([?+]?)/y;

function repeated(pattern: Pattern, part: Part): Part {
  const start = pattern.index;
  quantifier.lastIndex = start;
  const found = quantifier.exec(pattern.source);
  if (found === null) return part;
  const [all, sign, from, comma, to, mode] = found;
  if (mode === '+') pattern.refuse('possessive quantifiers are not supported', start);
  pattern.index += all.length;
  if (quantifierAt(pattern)) pattern.refuse('there is nothing to repeat', pattern.index);
  if (sign === '*') return many(part, 0);
  if (sign === '+') return many(part, 1);
  const min = sign === '?' ? 0 : Number(from);
  if (comma !== undefined && to === '') return many(part, bounded(pattern, min, start));
  const max = sign === '?' ? 1 : Number(to ?? from);
  if (max < min) pattern.refuse('the numbers in the quantifier are out of order', start);
  return times(part, bounded(pattern, min, start), bounded(pattern, max, start));
}

function quantifierAt({ source, index }: Pattern): boolean {
  quantifier.lastIndex = index;
  return quantifier.test(source);
}

function bounded({ refuse }: Pattern, count: number, at: number): number {
  if (count > 1000) refuse('a quantifier must not exceed 1000', at);
  return count;
}

const many =
  (part: Part, min: number): Part =>
  (states, next) => {
    const loop = add(states, { kind: 'split', next: [] });
    states[loop] = { kind: 'split', next: [part(states, loop), next] };
    return times(part, min, min)(states, loop);
  };

const times =
  (part: Part, min: number, max: number): Part =>
  (states, next) => {
    let start = next;
    for (let count = max; count > 0 && states.length <= maxStates; count--) {
      const one = part(states, start);
      // Repeating an empty part has no effect.
      if (one === start) return start;
      start = count > min ? add(states, { kind: 'split', next: [one, next] }) : one;
    }
    return start;
  };

function atom(pattern: Pattern): Part {
  const { source, index, ignoreCase, refuse } = pattern;
  const char = String.fromCodePoint(source.codePointAt(index) ?? 0);
  if (char === '(') return group(pattern);
  if ('*+?'.includes(char) || (char === '{' && quantifierAt(pattern)))
    refuse('there is nothing to repeat', index);
  if (char === '^') return edge(pattern, 1, 'start');
  if (char === '$') return edge(pattern, 1, 'end');
  if (char === '[') return characterClass(pattern);
  if (char === '\\') return escaped(pattern);
  if (char === '.') return character(pattern, 1, (c) => c !== '\n');
  return character(pattern, char.length, literal(char, ignoreCase));
}

function edge(pattern: Pattern, length: number, kind: Edge): Part {
  pattern.index += length;
  return (states, next) => add(states, { kind: 'edge', edge: kind, next });
}

type CharTest = (char: string) => boolean;

/** Parses a part that matches one character. `length` is the length of its source. */
function character(pattern: Pattern, length: number, test: CharTest): Part {
  pattern.index += length;
  return (states, next) => add(states, { kind: 'char', test, next });
}

const literal = (char: string, ignoreCase: boolean): CharTest =>
  ignoreCase ? (c) => c.toLowerCase() === char.toLowerCase() : (c) => c === char;

const edges: ReadonlyMap<string, Edge> = new Map([
  ['b', 'word'],
  ['B', 'inside'],
  ['A', 'start'],
  ['z', 'end'],
  ['Z', 'last line'],
]);

function escaped(pattern: Pattern): Part {
  const { source, index, ignoreCase, refuse } = pattern;
  const escape = /^\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|0[0-7]{0,2}|.)/isu;
  const [all = ''] = escape.exec(source.slice(index, index + 6)) ?? [];
  if (all.length < 2) refuse('there is no character after `\\`', index);
  const letter = all.slice(1);
  if (/^[1-9k]/.test(letter)) refuse('backreferences are not supported', index);
  if (/^[pPRXG]$/.test(letter)) refuse(`\`${all}\` is not supported`, index);
  const known = edges.get(letter);
  if (known !== undefined) return edge(pattern, 2, known);
  return character(pattern, all.length, testOfEscape(all, letter, ignoreCase));
}

function testOfEscape(all: string, letter: string, ignoreCase: boolean): CharTest {
  if (letter === 'h') return (char) => /^[0-9a-f]$/i.test(char);
  if (letter === 'e') return literal('\x1b', false);
  if (letter === 'a') return literal('\x07', false);
  if (letter.startsWith('0'))
    return literal(String.fromCharCode(Number.parseInt(letter, 8)), false);
  const test = /^(?:[dDwWsSnrtvf]|x.+|u.+)$/.test(letter) ? single(all, ignoreCase) : undefined;
  return test ?? literal(letter, ignoreCase);
}

const classes: ReadonlyMap<string, string> = new Map([
  ['alpha', 'A-Za-z'],
  ['alnum', 'A-Za-z0-9'],
  ['digit', '0-9'],
  ['lower', 'a-z'],
  ['upper', 'A-Z'],
  ['space', '\\s'],
  ['blank', ' \\t'],
  ['punct', '!-\\/:-@\\[-`{-~'],
  ['xdigit', '0-9A-Fa-f'],
  ['word', '\\w'],
]);

function characterClass(pattern: Pattern): Part {
  const { source, index, ignoreCase, refuse } = pattern;
  const found = /^\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/s.exec(source.slice(index));
  if (found === null) return refuse('the character class has no closing `]`', index);
  const [all] = found;
  const refuseClass = (name: string) => refuse(`\`${name}\` is not a valid character class`, index);
  const inner = all
    .slice(1, -1)
    .replace(/^(\^?)\]/, '$1\\]')
    .replace(/\[:(\w+):\]/g, (whole, name: string) => classes.get(name) ?? refuseClass(whole))
    .replace(/\\h/g, '0-9A-Fa-f')
    .replace(/\\e/g, '\\x1b')
    .replace(/\\a/g, '\\x07');
  return character(pattern, all.length, single(`[${inner}]`, ignoreCase) ?? refuseClass(all));
}

/**
 * Compiles a pattern that matches one character, for which `RegExp` is fast. Tries the `u` flag
 * first: characters beyond 16 bits require it, but it rejects some escapes, such as `\-` in a
 * class. Returns undefined if the pattern is invalid.
 */
function single(pattern: string, ignoreCase: boolean): CharTest | undefined {
  for (const flags of ignoreCase ? ['iu', 'i'] : ['u', '']) {
    try {
      const regex = new RegExp(`^${pattern}$`, flags);
      return (char) => regex.test(char);
    } catch {
      // The pattern is invalid with these flags.
    }
  }
  return undefined;
}

const opening = /\((\?(?:[:=!]|#[^)]*\)|<?[=!<'>(P]|[a-z-]+:?)?)?/y;

function group(pattern: Pattern): Part {
  const start = pattern.index;
  opening.lastIndex = start;
  const [all = '(', kind] = opening.exec(pattern.source) ?? [];
  if (kind !== undefined && !['?:', '?=', '?!'].includes(kind))
    pattern.refuse(`\`${all}\` is not supported in regular expressions`, start);
  if (++pattern.depth > maxDepth) pattern.refuse('groups are nested too deeply', start);
  pattern.index += all.length;
  const part = alternatives(pattern);
  if (pattern.source[pattern.index] !== ')') pattern.refuse('the group has no closing `)`', start);
  pattern.index++;
  pattern.depth--;
  if (kind !== '?=' && kind !== '?!') return part;
  const regex = machine(pattern, part);
  return (states, next) => add(states, { kind: 'ahead', regex, isNegated: kind === '?!', next });
}

/** Whether the pattern is found anywhere in the text. */
export function matchesRegex(regex: Regex, text: string): boolean {
  return run({ regex, chars: Array.from(text), ahead: new Map() }, 0, true);
}

interface Search {
  readonly regex: Regex;
  readonly chars: readonly string[];
  /** Results of lookaheads, by position. */
  readonly ahead: Map<Regex, Map<number, boolean>>;
}

/** Follows all states simultaneously. With `anywhere`, the match may start at a later position. */
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

/** Adds a state and all states that can be reached from it without consuming a character. */
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
