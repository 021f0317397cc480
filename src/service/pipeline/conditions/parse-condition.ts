/** A condition -> a tree, by falling precedence: `!`, comparisons, `&&`, `||`, `? :`. */
import { type Regex, parseRegex } from '../regex.ts';

interface Tokens {
  readonly all: readonly Token[];
  next: number;
  /** Parentheses, lists and negations that are open. */
  depth: number;
}

const maxLength = 10_000;
const maxDepth = 100;

/** Throws `ConditionError` where the text is no expression. */
export function parseCondition(source: string): Node {
  if (source.length > maxLength)
    throw new ConditionError(`a condition has at most ${maxLength} characters`, maxLength + 1);
  const tokens: Tokens = { all: tokensOf(source), next: 0, depth: 0 };
  if (tokens.all.length === 1) throw new ConditionError('the condition is empty', 1);
  const node = expression(tokens);
  if (peek(tokens).kind !== 'end') throw unexpected(peek(tokens), 'an operator or the end');
  return node;
}

function expression(tokens: Tokens): Node {
  tokens.depth++;
  const { column } = peek(tokens);
  if (tokens.depth > maxDepth)
    throw new ConditionError(`the condition is nested deeper than ${maxDepth} levels`, column);
  const condition = logical(tokens, 'some');
  let node = condition;
  if (accept(tokens, '?')) {
    const yes = expression(tokens);
    expect(tokens, ':');
    node = { kind: 'choose', condition, yes, no: expression(tokens), column };
  }
  tokens.depth--;
  return node;
}

/** `a || b`, and below it `a && b`. */
function logical(tokens: Tokens, kind: 'some' | 'every'): Node {
  const { column } = peek(tokens);
  const operand = (): Node => (kind === 'some' ? logical(tokens, 'every') : comparison(tokens));
  const first = operand();
  const operands = [first];
  while (accept(tokens, kind === 'some' ? '||' : '&&')) operands.push(operand());
  return operands.length === 1 ? first : { kind, operands, column };
}

const operators = ['==', '!=', '=~', '!~', 'includes'] as const;

/** Comparisons stand in a row from left to right: `a == b == c` is `(a == b) == c`. */
function comparison(tokens: Tokens): Node {
  let left = unary(tokens);
  for (let count = 1; ; count++) {
    const operator = operators.find((one) => accept(tokens, one));
    if (operator === undefined) return left;
    if (count > maxDepth)
      throw new ConditionError(`more than ${maxDepth} comparisons in a row`, peek(tokens).column);
    left = compared(operator, left, unary(tokens));
  }
}

/** `!a =~ /b/` negates the match, as real files mean it: true and false are matched by nothing. */
function compared(operator: (typeof operators)[number], left: Node, right: Node): Node {
  if (left.kind === 'not' && operator !== '==' && operator !== '!=')
    return { ...left, operand: compared(operator, left.operand, right) };
  return { kind: 'compare', operator, left, right, column: left.column };
}

function unary(tokens: Tokens): Node {
  const { column } = peek(tokens);
  let negations = 0;
  while (accept(tokens, '!')) negations++;
  let node = primary(tokens);
  // More than two come to the same as one or two.
  for (let left = negations > 2 ? 2 - (negations % 2) : negations; left > 0; left--)
    node = { kind: 'not', operand: node, column };
  return node;
}

function primary(tokens: Tokens): Node {
  const token = peek(tokens);
  if (accept(tokens, '(')) {
    const node = expression(tokens);
    expect(tokens, ')');
    return node;
  }
  if (accept(tokens, '[')) {
    return { kind: 'list', items: untilClosed(tokens, ']'), column: token.column };
  }
  tokens.next++;
  switch (token.kind) {
    case 'integer':
      return { ...token, kind: 'literal' };
    case 'name':
      return named(tokens, token.text, token.column);
    case 'text':
    case 'regex':
      return token;
    default:
      throw unexpected(token, 'a value');
  }
}

function named(tokens: Tokens, name: string, column: number): Node {
  if (name === 'true' || name === 'false') {
    return { kind: 'literal', value: name === 'true', column };
  }
  if (name === 'null') return { kind: 'literal', value: null, column };
  if (name === 'includes') throw new ConditionError('`includes` needs a list before it', column);
  if (!accept(tokens, '(')) return { kind: 'variable', name, column };
  return { kind: 'call', name, given: untilClosed(tokens, ')'), column };
}

function untilClosed(tokens: Tokens, close: string): Node[] {
  const items: Node[] = [];
  if (accept(tokens, close)) return items;
  do items.push(expression(tokens));
  while (accept(tokens, ','));
  expect(tokens, close);
  return items;
}

const peek = ({ all, next }: Tokens): Token => all[next] ?? { kind: 'end', column: 1 };

/** Goes on where the next token is this sign or word. */
function accept(tokens: Tokens, text: string): boolean {
  const token = peek(tokens);
  const isIt = (token.kind === 'sign' || token.kind === 'name') && token.text === text;
  if (isIt) tokens.next++;
  return isIt;
}

function expect(tokens: Tokens, text: string): void {
  if (!accept(tokens, text)) throw unexpected(peek(tokens), `\`${text}\``);
}

function unexpected(token: Token, wanted: string): ConditionError {
  const found =
    token.kind === 'end'
      ? 'the condition ends'
      : 'text' in token
        ? `\`${token.text}\` stands`
        : `${token.kind === 'integer' ? 'an' : 'a'} ${token.kind} stands`;
  return new ConditionError(`${found} where ${wanted} is expected`, token.column);
}

// A condition as it is read: every node knows the column at which it begins.

interface At {
  readonly column: number;
}

type Comparison = '==' | '!=';
type Match = '=~' | '!~';

export type Node = At &
  (
    | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
    /** `"…"` with its variables (`$X`, `${X}`) apart; one without quotes has a single part. */
    | { readonly kind: 'text'; readonly parts: readonly TextPart[]; readonly isQuoted: boolean }
    | { readonly kind: 'list'; readonly items: readonly Node[] }
    | { readonly kind: 'regex'; readonly regex: Regex }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'call'; readonly name: string; readonly given: readonly Node[] }
    | { readonly kind: 'not'; readonly operand: Node }
    | { readonly kind: 'every' | 'some'; readonly operands: readonly Node[] }
    | {
        readonly kind: 'compare';
        readonly operator: Comparison | Match | 'includes';
        readonly left: Node;
        readonly right: Node;
      }
    | {
        readonly kind: 'choose';
        readonly condition: Node;
        readonly yes: Node;
        readonly no: Node;
      }
  );

export type TextPart = { readonly text: string } | { readonly variable: string };

// The words and signs of a condition.

type Token = { readonly column: number } & (
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
function tokensOf(source: string): Token[] {
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
