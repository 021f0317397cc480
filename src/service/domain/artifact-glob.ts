/**
 * Returns a matcher for artifact search patterns. `*` and `**` match anything, `?` matches one
 * character, `[a-z]` a range, and `{a,b}` either alternative. As in the public service, but unlike
 * in upload patterns, `*` also matches slashes: `dist/*` matches everything below `dist`.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const variants = expandBraces(pattern.replace(/^(\.?\/)+/, '')).map(readTokens);
  return (path) => variants.some((tokens) => fits(tokens, path.replace(/^(\.?\/)+/, '')));
}

const maxVariants = 1000;

function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0 && open.length + done.length < maxVariants) {
    const text = open.pop() ?? '';
    const [, before = '', choices, after = ''] = /^(.*)\{([^{}]*)\}(.*)$/s.exec(text) ?? [];
    if (choices === undefined) done.push(text);
    else open.push(...choices.split(',').map((choice) => `${before}${choice}${after}`));
  }
  return done;
}

/** `any` matches any text, `folders` matches directories, and a function tests one character. */
type Token = 'any' | 'folders' | ((character: string) => boolean);

function readTokens(pattern: string): Token[] {
  const parts = pattern.match(/\*\*\/|\*+|\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? [];
  return parts.map((part) => {
    if (part === '**/') return 'folders';
    if (part.startsWith('*')) return 'any';
    if (part === '?') return (character) => character !== '/';
    if (part.startsWith('[') && part.length > 2) return classOf(part.slice(1, -1));
    const literal = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part;
    return (character) => character === literal;
  });
}

function classOf(text: string): (character: string) => boolean {
  const isNegated = /^[!^]/.test(text);
  const ranges = [...(isNegated ? text.slice(1) : text).matchAll(/(.)-(.)|(.)/gsu)];
  return (character) =>
    isNegated !==
    ranges.some(([, first, last, one]) =>
      one === undefined
        ? character >= (first ?? '') && character <= (last ?? '')
        : character === one,
    );
}

/** Tracks all possible positions in the pattern, so the time is linear in the path's length. */
function fits(tokens: readonly Token[], path: string): boolean {
  let places = withSkipped(tokens, new Set([0]), true);
  for (const character of path) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (typeof token === 'function') {
        if (token(character)) next.add(place + 1);
      } else if (token !== undefined) next.add(place);
    }
    places = withSkipped(tokens, next, character === '/');
  }
  return places.has(tokens.length);
}

/** Adds the positions after tokens that can match an empty string. */
function withSkipped(
  tokens: readonly Token[],
  places: ReadonlySet<number>,
  isAfterSlash: boolean,
): Set<number> {
  const all = new Set(places);
  for (const place of all) {
    const token = tokens[place];
    if (token === 'any' || (token === 'folders' && isAfterSlash)) all.add(place + 1);
  }
  return all;
}
