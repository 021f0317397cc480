import { visible } from './sections.ts';
import type { Stage } from './stage.ts';
import { mapLines } from './text.ts';

export interface GrepOptions {
  readonly pattern: GrepPattern;
  readonly invert?: boolean;
  /** Lines of context. If set, even to 0, `--` separates parts that are not adjacent. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export function grep({ pattern, invert = false, ...options }: GrepOptions): Stage {
  const { before = 0, after = 0 } = options;
  const separates = options.before !== undefined || options.after !== undefined;
  const context: string[] = [];
  let following = 0;
  /** Whether any line was passed on, and whether a line was dropped after the last such line. */
  let passed = false;
  let gap = false;

  return { push: (lines) => mapLines(lines, mapLine), end: () => '' };

  function mapLine(line: string): string {
    if (pattern.test(visible(line)) !== invert) return pass(line, after);
    if (following > 0) return pass(line, following - 1);
    if (context.push(line) > before) {
      context.shift();
      gap = true;
    }
    return '';
  }

  function pass(line: string, more: number): string {
    const separator = passed && gap && separates ? '--\n' : '';
    const lines = separator + context.splice(0).join('') + line;
    following = more;
    passed = true;
    gap = false;
    return lines;
  }
}

export type GrepPattern = Pick<RegExp, 'test'>;

/** Compiles a pattern whose `\b`, `\w` and POSIX classes support Unicode. Throws `SyntaxError`. */
export function grepPattern(source: string, ignoreCase: boolean): GrepPattern {
  const native = compile(source, ignoreCase ? 'i' : '');
  const translated = unicodeWords(native.source, native.unicode);
  if (translated === native.source) return native;
  const wide = new RegExp(translated, native.flags);
  // For ASCII lines (most lines), the native pattern has the same result and is several times
  // faster.
  return { test: (text) => (beyondAscii.test(text) ? wide : native).test(text) };
}

const beyondAscii = /[^\x00-\x7f]/;

function compile(source: string, flags: string): RegExp {
  const [unicode, ascii] = [withoutPosix(source, 1), withoutPosix(source, 0)];
  try {
    return new RegExp(unicode, `${flags}u`);
  } catch {
    return new RegExp(ascii, flags);
  }
}

const withoutPosix = (source: string, column: 0 | 1): string =>
  source.replace(brackets, (bracket) => {
    const rest = bracket.slice(1).replace(members, (member, name?: string) => {
      if (name === undefined) return member;
      const found = Object.hasOwn(posixClasses, name) ? posixClasses[name] : undefined;
      if (found === undefined) throw new SyntaxError(`unknown character class [:${name}:]`);
      return found[column];
    });
    return bracket.charAt(0) + rest;
  });

const brackets = /\\[^]|\[\^?(?:\[:\^?\w*:\]|\\[^]|[^\]\\])*\]/g;
const members = /\\[^]|\[:(\^?\w*):\]/g;

/** The characters in each POSIX class: first for ASCII, then for patterns with the `u` flag. */
const posixClasses: Readonly<Record<string, readonly [string, string]>> = {
  alnum: ['A-Za-z0-9', String.raw`\p{Alphabetic}\p{Nd}`],
  alpha: ['A-Za-z', String.raw`\p{Alphabetic}`],
  blank: [String.raw` \t`, String.raw` \t`],
  cntrl: [String.raw`\x00-\x1f\x7f`, String.raw`\p{Cc}`],
  digit: ['0-9', '0-9'],
  graph: ['!-~', String.raw`\p{L}\p{M}\p{N}\p{P}\p{S}`],
  lower: ['a-z', String.raw`\p{Lowercase}`],
  print: [' -~', String.raw`\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}`],
  punct: ['!-\\/:-@\\[-`{-~', String.raw`\p{P}\p{S}`],
  space: [String.raw`\s`, String.raw`\s`],
  upper: ['A-Z', String.raw`\p{Uppercase}`],
  xdigit: ['0-9A-Fa-f', '0-9A-Fa-f'],
};

/** Makes `\w`, `\W`, `\b` and `\B` support Unicode. Properties need the `u` flag (`unicode`). */
function unicodeWords(source: string, unicode: boolean): string {
  if (!/\\[wWbB]/.test(source)) return source;
  const word = unicode ? properties : ranges();
  return source.replace(tokens, (token) =>
    token.startsWith('[') ? translateClass(token, word) : translateEscape(token, word),
  );
}

/** The word characters of UTS 18 (Unicode Regular Expressions). */
const properties = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;

const tokens = /\[\^?(?:[^\]\\]|\\[^])*\]|\\[^]/g;

function translateEscape(token: string, word: string): string {
  const [is, isNot, was, wasNot] = [`[${word}]`, `[^${word}]`, `(?<=[${word}])`, `(?<![${word}])`];
  const [follows, followsNot] = [`(?=${is})`, `(?!${is})`];
  if (token === String.raw`\w`) return is;
  if (token === String.raw`\W`) return isNot;
  if (token === String.raw`\b`) return `(?:${was}${followsNot}|${wasNot}${follows})`;
  return token === String.raw`\B` ? `(?:${was}${follows}|${wasNot}${followsNot})` : token;
}

/**
 * Moves `\W` to its own class, because a class cannot contain both a set and the complement of
 * another set. A hyphen next to `\w` or `\W` stays literal.
 */
function translateClass(token: string, word: string): string {
  const [, not = '', members = ''] = /^\[(\^?)([^]*)\]$/.exec(token) ?? [];
  let has = '';
  const rest = members.replace(memberEscapes, (escape: string, kind?: string) => {
    if (kind === undefined) return escape;
    has += kind;
    return escape.replace(/\\[wW]/, '').replaceAll('-', String.raw`\-`);
  });
  const set = (has.includes('w') ? word : '') + rest.replace(/^\^/, String.raw`\^`);
  if (!has.includes('W')) return `[${not}${set}]`;
  return not === '' ? `(?:[${set}]|[^${word}])` : `(?:(?![${set}])[${word}])`;
}

const memberEscapes = /-?\\([wW])-?|\\[^]/g;

function ranges(): string {
  const isWord = new RegExp(`[${properties}]`, 'u');
  let text = '';
  for (let code = 0, first = -1; code <= 0xffff; code++) {
    const within = code < 0xffff && isWord.test(String.fromCharCode(code));
    if (within && first < 0) first = code;
    if (within || first < 0) continue;
    text += `${escaped(first)}-${escaped(code - 1)}`;
    first = -1;
  }
  return text;
}

const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
