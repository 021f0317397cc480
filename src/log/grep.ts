import { visible } from './sections.ts';
import type { Stage } from './stage.ts';
import { mapLines } from './text.ts';

export interface GrepOptions {
  /** Tried on the text of each line, without colours and newline. */
  readonly pattern: GrepPattern;
  /** The lines that do not match. */
  readonly invert?: boolean;
  /** Lines of context; where one is given, even 0, `--` stands between parts that do not meet. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** Passes the lines that match, with their context. */
export function grep({ pattern, invert = false, ...options }: GrepOptions): Stage {
  const { before = 0, after = 0 } = options;
  const separates = options.before !== undefined || options.after !== undefined;
  const context: string[] = [];
  let following = 0;
  /** Whether a line was passed, and whether one was left out since. */
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

/** What `--grep` tries on the text of a line. */
export type GrepPattern = Pick<RegExp, 'test'>;

/**
 * Reads a pattern, in which `\b` and `\w` know the letters of all scripts, and POSIX classes work as
 * in grep. Throws `SyntaxError`. With the `u` flag, where the syntax allows it: characters outside of
 * the basic plane are one.
 */
export function grepPattern(source: string, ignoreCase: boolean): GrepPattern {
  const native = compile(source, ignoreCase ? 'i' : '');
  const translated = unicodeWords(native.source, native.unicode);
  if (translated === native.source) return native;
  const wide = new RegExp(translated, native.flags);
  // Most lines are ASCII, on which both find the same, the short one several times as fast.
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

/** Translates `[[:digit:]]`, which JavaScript reads as a set of these characters. */
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

/** A bracket expression, or a character with the backslash before it. */
const brackets = /\\[^]|\[\^?(?:\[:\^?\w*:\]|\\[^]|[^\]\\])*\]/g;
const members = /\\[^]|\[:(\^?\w*):\]/g;

/** Members of a class in ASCII, and with the `u` flag. */
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

/**
 * A regular expression in which `\w`, `\W`, `\b` and `\B` count letters, marks, digits and joining
 * punctuation of all scripts as parts of words, where those of JavaScript know ASCII alone.
 * `unicode`: it is for the `u` flag; without it there are no properties, and ranges stand for them.
 */
function unicodeWords(source: string, unicode: boolean): string {
  if (!/\\[wWbB]/.test(source)) return source;
  const word = unicode ? properties : ranges();
  return source.replace(tokens, (token) =>
    token.startsWith('[') ? translateClass(token, word) : translateEscape(token, word),
  );
}

/** The word characters of Unicode's recommendation for regular expressions (UTS 18). */
const properties = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;

/** A class, or a character with the backslash before it. */
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
 * `\W` becomes a class of its own, since none can hold both a set and the contrary of one. A hyphen
 * beside `\w` or `\W` stands for itself, and so it does behind what is left of them.
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

/** The same characters by their numbers, of the basic plane, each range with both of its borders. */
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
