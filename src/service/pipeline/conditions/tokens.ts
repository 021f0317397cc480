/** The words and signs of a condition. */
import { ConditionError } from './condition-error.ts';
import { readQuoted, variableAt } from './quoted.ts';
import { parseRegex, type Regex } from '../regex/parse-regex.ts';
import type { TextPart } from './tree.ts';

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
