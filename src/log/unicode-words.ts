/**
 * A regular expression in which `\w`, `\W`, `\b` and `\B` count letters, marks, digits and joining
 * punctuation of all scripts as parts of words, where those of JavaScript know ASCII alone.
 * `unicode`: it is for the `u` flag; without it there are no properties, and ranges stand for them.
 */
export function unicodeWords(source: string, unicode: boolean): string {
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
