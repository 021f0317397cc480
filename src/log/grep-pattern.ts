import { unicodeWords } from './unicode-words.ts';

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
