/** The words and signs of a condition. */
import { parseRegex, type Regex } from '../regex/parse-regex.ts';
import type { TextPart } from './parse-condition.ts';

export type Token = { readonly column: number } & (
  | { readonly kind: 'sign' | 'name'; readonly text: string }
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[]; readonly isQuoted: boolean }
  | { readonly kind: 'regex'; readonly regex: Regex }
  | { readonly kind: 'end' }
);

const blank = /(?:\s+|\/\/[^\n]*)*/y;
const signs = /==|!=|=~|!~|&&|\|\||[!()[\],?:]/y;
const names = /[A-Za-z_][A-Za-z0-9_.]*/y;
const integers = /\d+/y;
const regexes = /\/((?:[^/\\]|\\.)+)\/([A-Za-z]*)/sy;

/** Throws `ConditionError` at what is no part of the language. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let index = skip(source, 0);
  while (index < source.length) {
    const { token, end } = tokenAt(source, index);
    tokens.push(token);
    index = skip(source, end);
  }
  return [...tokens, { kind: 'end', column: source.length + 1 }];
}

const skip = (source: string, index: number): number =>
  index + (at(blank, source, index)?.[0].length ?? 0);

function at(pattern: RegExp, source: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(source);
}

interface Read {
  readonly token: Token;
  /** Index of what follows. */
  readonly end: number;
}

function tokenAt(source: string, index: number): Read {
  const column = index + 1;
  const char = source[index];
  if (char === '"' || char === "'") {
    const { parts, end } = readQuoted(source, index);
    return { token: { kind: 'text', parts, isQuoted: true, column }, end };
  }
  if (char === '/') return regexAt(source, index);
  if (char === '$') {
    const end = variableAt(source, index);
    if (end === undefined) throw new ConditionError('`$` without a name of a variable', column);
    const parts = [{ variable: source.slice(index, end) }];
    return { token: { kind: 'text', parts, isQuoted: false, column }, end };
  }
  return wordAt(source, index);
}

function wordAt(source: string, index: number): Read {
  const column = index + 1;
  const [sign] = at(signs, source, index) ?? [];
  if (sign !== undefined)
    return { token: { kind: 'sign', text: sign, column }, end: index + sign.length };
  const [digits] = at(integers, source, index) ?? [];
  if (digits !== undefined) {
    return {
      token: { kind: 'integer', value: Number(digits), column },
      end: index + digits.length,
    };
  }
  const [name] = at(names, source, index) ?? [];
  if (name === undefined) throw new ConditionError(strange(source, index), column);
  if (/\.\.|\.$/.test(name)) throw new ConditionError(`\`${name}\` is no name`, column);
  return { token: { kind: 'name', text: name, column }, end: index + name.length };
}

function strange(source: string, index: number): string {
  const char = String.fromCodePoint(source.codePointAt(index) ?? 0);
  if (char === '=') return '`=` compares nothing; did you mean `==`?';
  if (char === '&' || char === '|')
    return `\`${char}\` is no operator; did you mean \`${char}${char}\`?`;
  return `unexpected \`${char}\``;
}

function regexAt(source: string, index: number): Read {
  const [all, pattern = '', flags = ''] = at(regexes, source, index) ?? [];
  if (all === undefined)
    throw new ConditionError('the regular expression has no closing `/`', index + 1);
  const strangeFlag = flags.replace(/i/g, '')[0];
  if (strangeFlag !== undefined) {
    const column = index + all.length - flags.length + flags.indexOf(strangeFlag) + 1;
    throw new ConditionError(
      `\`${strangeFlag}\` is no flag of a regular expression; there is only \`i\``,
      column,
    );
  }
  const regex = parseRegex(pattern, flags !== '', (message, offset) => {
    throw new ConditionError(message, index + 2 + offset);
  });
  return { token: { kind: 'regex', regex, column: index + 1 }, end: index + all.length };
}

// Texts in quotes, and the variables in them.

const variable = /\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})/y;

/** The index after the `$X` or `${…}` at `index`; undefined where there is none. */
function variableAt(source: string, index: number): number | undefined {
  variable.lastIndex = index;
  const found = variable.exec(source);
  return found === null ? undefined : index + found[0].length;
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', s: ' ', r: '\r', t: '\t', v: '\v', f: '\f', b: '\b', a: '\x07', e: '\x1b' },
};

/** Reads the text whose quote stands at `start`: `'…'` as it is, `"…"` with escapes and variables. */
function readQuoted(
  source: string,
  start: number,
): { readonly parts: TextPart[]; readonly end: number } {
  const quote = source[start];
  const parts: TextPart[] = [];
  let text = '';
  let index = start + 1;
  while (index < source.length && source[index] !== quote) {
    const end = quote === '"' ? variableAt(source, index) : undefined;
    if (end === undefined) {
      const [piece, length] = pieceAt(source, index, quote === '"');
      text += piece;
      index += length;
    } else {
      parts.push({ text }, { variable: source.slice(index, end) });
      text = '';
      index = end;
    }
  }
  if (index >= source.length) throw new ConditionError('the text has no closing quote', start + 1);
  return { parts: [...parts, { text }], end: index + 1 };
}

/** What stands there, and how many characters it takes. */
function pieceAt(source: string, index: number, isDouble: boolean): [string, number] {
  const char = source[index] ?? '';
  if (isDouble && source.startsWith('$$', index)) return ['$', 2];
  if (char !== '\\') return [char, 1];
  const next = source[index + 1] ?? '';
  if (!isDouble) return next === '\\' || next === "'" ? [next, 2] : [char, 1];
  const code = /^\\(?:x([0-9a-f]{2})|([0-3]?[0-7]{1,2}))/i.exec(source.slice(index, index + 4));
  if (code !== null) {
    const [all, hex, octal = ''] = code;
    const value = hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16);
    return [String.fromCharCode(value), all.length];
  }
  return [Object.hasOwn(escapes, next) ? (escapes[next] ?? next) : next, 2];
}

/** What is wrong with a condition, with its place in the text. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  /** Of the text as a whole, from 1. */
  readonly column: number;

  constructor(message: string, column: number) {
    super(message);
    this.column = column;
  }
}
