import { unicodeWords } from './unicode-words.ts';

/** What `--grep` tries on the text of a line. */
export type GrepPattern = Pick<RegExp, 'test'>;

/**
 * Reads a pattern, in which `\b` and `\w` know the letters of all scripts. Throws `SyntaxError`.
 * With the `u` flag, where the syntax allows it: characters outside of the basic plane are one.
 */
export function grepPattern(source: string, ignoreCase: boolean): GrepPattern {
  const native = compile(source, ignoreCase ? 'i' : '');
  const translated = unicodeWords(source, native.unicode);
  if (translated === source) return native;
  const wide = new RegExp(translated, native.flags);
  // Most lines are ASCII, on which both find the same, the short one several times as fast.
  return { test: (text) => (beyondAscii.test(text) ? wide : native).test(text) };
}

const beyondAscii = /[^\x00-\x7f]/;

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}
