/**
 * Regular expressions of conditions -> the states of a machine that looks at each character of a
 * text once: no pattern takes longer than states times characters, as the engine of the language
 * would with `(a+)+$`.
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

/** Where a position must lie: at the start, at the end, at the edge of a word, or at none. */
type Edge = 'start' | 'end' | 'last line' | 'word' | 'inside';

export interface Regex {
  readonly states: readonly State[];
  readonly start: number;
}

type Refuse = (message: string, offset: number) => never;

/** How a part of the pattern is added before the state `next`: gives the state at which it begins. */
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

/** `refuse` gets what is wrong and the offset of it in the pattern. */
export function parseRegex(source: string, ignoreCase: boolean, refuse: Refuse): Regex {
  const pattern: Pattern = { source, ignoreCase, refuse, index: 0, depth: 0 };
  const part = alternatives(pattern);
  if (pattern.index < source.length) refuse('`)` closes no group', pattern.index);
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
  while (pattern.index < source.length && !'|)'.includes(source[pattern.index] ?? '')) {
    parts.push(repeated(pattern, atom(pattern)));
  }
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
  const again = quantifierAt(pattern);
  if (again) pattern.refuse('there is nothing to repeat', pattern.index);
  if (sign === '*') return many(part, 0);
  if (sign === '+') return many(part, 1);
  const min = sign === '?' ? 0 : Number(from);
  if (comma !== undefined && to === '') return many(part, bounded(pattern, min, start));
  const max = sign === '?' ? 1 : Number(to ?? from);
  if (max < min) pattern.refuse('the numbers of the quantifier are out of order', start);
  return times(part, bounded(pattern, min, start), bounded(pattern, max, start));
}

function quantifierAt({ source, index }: Pattern): boolean {
  quantifier.lastIndex = index;
  return quantifier.test(source);
}

function bounded({ refuse }: Pattern, count: number, at: number): number {
  if (count > 1000) refuse('a quantifier repeats at most 1000 times', at);
  return count;
}

/** At least `min` times. */
const many =
  (part: Part, min: number): Part =>
  (states, next) => {
    const loop = add(states, { kind: 'split', next: [] });
    states[loop] = { kind: 'split', next: [part(states, loop), next] };
    return times(part, min, min)(states, loop);
  };

/** From `min` to `max` times. */
const times =
  (part: Part, min: number, max: number): Part =>
  (states, next) => {
    let start = next;
    for (let count = max; count > 0 && states.length <= maxStates; count--) {
      const one = part(states, start);
      // What is empty is so however often it comes.
      if (one === start) return start;
      start = count > min ? add(states, { kind: 'split', next: [one, next] }) : one;
    }
    return start;
  };

function atom(pattern: Pattern): Part {
  const { source, index, refuse } = pattern;
  const char = String.fromCodePoint(source.codePointAt(index) ?? 0);
  if (char === '(') return group(pattern);
  if ('*+?'.includes(char) || (char === '{' && quantifierAt(pattern)))
    refuse('there is nothing to repeat', index);
  if (char === '^' || char === '$') {
    pattern.index++;
    return edge(char === '^' ? 'start' : 'end');
  }
  if (char === '[') return one(pattern, readClass(source, index, pattern.ignoreCase, refuse));
  if (char === '\\') return escaped(pattern);
  if (char === '.') return one(pattern, { test: (c) => c !== '\n', length: 1 });
  return one(pattern, literal(char, pattern.ignoreCase));
}

const literal = (char: string, ignoreCase: boolean) => ({
  length: char.length,
  test: ignoreCase
    ? (c: string) => c.toLowerCase() === char.toLowerCase()
    : (c: string) => c === char,
});

function one(pattern: Pattern, { test, length }: { test: CharTest; length: number }): Part {
  pattern.index += length;
  return (states, next) => add(states, { kind: 'char', test, next });
}

const edges: Readonly<Record<string, Edge>> = {
  ...{ b: 'word', B: 'inside', A: 'start', z: 'end', Z: 'last line' },
};

function escaped(pattern: Pattern): Part {
  const { source, index, refuse } = pattern;
  const letter = source[index + 1] ?? '';
  if (/[1-9k]/.test(letter)) refuse('back references are not supported', index);
  const known = Object.hasOwn(edges, letter) ? edges[letter] : undefined;
  if (known === undefined)
    return one(pattern, readEscape(source, index, pattern.ignoreCase, refuse));
  pattern.index += 2;
  return edge(known);
}

const edge =
  (kind: Edge): Part =>
  (states, next) =>
    add(states, { kind: 'edge', edge: kind, next });

const opening = /\((\?(?:[:=!]|#[^)]*\)|<?[=!<'>(P]|[a-z-]+:?)?)?/y;

function group(pattern: Pattern): Part {
  const start = pattern.index;
  opening.lastIndex = start;
  const [all = '(', kind] = opening.exec(pattern.source) ?? [];
  if (kind !== undefined && !['?:', '?=', '?!'].includes(kind)) {
    pattern.refuse(`\`${all}\` is not supported in regular expressions`, start);
  }
  if (++pattern.depth > maxDepth) pattern.refuse('too many groups in one another', start);
  pattern.index += all.length;
  const part = alternatives(pattern);
  if (pattern.source[pattern.index] !== ')') pattern.refuse('the group has no closing `)`', start);
  pattern.index++;
  pattern.depth--;
  if (kind !== '?=' && kind !== '?!') return part;
  const regex = machine(pattern, part);
  return (states, next) => add(states, { kind: 'ahead', regex, isNegated: kind === '?!', next });
}

/** Which single characters a class or an escape stands for. */
type CharTest = (char: string) => boolean;

interface Characters {
  readonly test: CharTest;
  /** Characters of the pattern that were read. */
  readonly length: number;
}

const named: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  alnum: 'A-Za-z0-9',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
};

/** `[a-z_]` whose bracket stands at `start`. */
function readClass(source: string, start: number, ignoreCase: boolean, refuse: Refuse): Characters {
  const found = /^\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/s.exec(source.slice(start));
  if (found === null) return refuse('the class has no closing `]`', start);
  const [all] = found;
  const inner = all
    .slice(1, -1)
    .replace(/^(\^?)\]/, '$1\\]')
    .replace(/\[:(\w+):\]/g, (whole, name: string) =>
      Object.hasOwn(named, name)
        ? (named[name] ?? '')
        : refuse(`\`${whole}\` is no class of characters`, start),
    )
    .replace(/\\h/g, '0-9A-Fa-f')
    .replace(/\\e/g, '\\x1b')
    .replace(/\\a/g, '\\x07');
  return {
    test: single(`[${inner}]`, ignoreCase, () =>
      refuse(`\`${all}\` is no class of characters`, start),
    ),
    length: all.length,
  };
}

/** `\d`, `\.`, `\x41` whose backslash stands at `start`. */
function readEscape(
  source: string,
  start: number,
  ignoreCase: boolean,
  refuse: Refuse,
): Characters {
  const [all = ''] =
    /^\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|0[0-7]{0,2}|.)/isu.exec(source.slice(start, start + 6)) ?? [];
  if (all.length < 2) return refuse('`\\` escapes nothing', start);
  const letter = all.slice(1);
  const length = all.length;
  if (letter === 'h') return { test: (char) => /^[0-9a-f]$/i.test(char), length };
  if (letter === 'e' || letter === 'a') {
    const wanted = letter === 'e' ? '\x1b' : '\x07';
    return { test: (char) => char === wanted, length };
  }
  if (letter.startsWith('0')) {
    const wanted = String.fromCharCode(Number.parseInt(letter, 8));
    return { test: (char) => char === wanted, length };
  }
  if (/^[pPRXG]$/.test(letter)) return refuse(`\`${all}\` is not supported`, start);
  if (/^(?:[dDwWsSnrtvf]|x.+|u.+)$/.test(letter)) return { test: single(all, ignoreCase), length };
  const wanted = ignoreCase ? letter.toLowerCase() : letter;
  return { test: (char) => (ignoreCase ? char.toLowerCase() : char) === wanted, length };
}

/**
 * A pattern for one character is safe with the engine of the language. Where it can, it takes
 * characters beyond 16 bits as one; `\-` in a class it does not know then.
 */
function single(pattern: string, ignoreCase: boolean, refuse?: () => never): CharTest {
  const regex =
    compiled(pattern, ignoreCase ? 'iu' : 'u') ?? compiled(pattern, ignoreCase ? 'i' : '');
  if (regex !== undefined) return (char) => regex.test(char);
  if (refuse !== undefined) return refuse();
  throw new Error(`${pattern} is no pattern`);
}

function compiled(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(`^${pattern}$`, flags);
  } catch {
    return undefined;
  }
}

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
