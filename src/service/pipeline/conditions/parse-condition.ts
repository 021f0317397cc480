import { type Regex, parseRegex } from '../regex.ts';

interface Tokens {
  readonly all: readonly Token[];
  next: number;
  depth: number;
}

const maxLength = 10_000;
const maxDepth = 100;

/**
 * Parses a condition. Operators from highest to lowest precedence: `!`, comparisons, `&&`, `||`, `? :`.
 * Throws `ConditionError` for a syntax error.
 */
export function parseCondition(source: string): Node {
  if (source.length > maxLength)
    throw new ConditionError(`the condition is longer than ${maxLength} characters`, maxLength + 1);
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

/** `some` means a chain of `||`; `every` means a chain of `&&`. */
function logical(tokens: Tokens, kind: 'some' | 'every'): Node {
  const { column } = peek(tokens);
  const operand = (): Node => (kind === 'some' ? logical(tokens, 'every') : comparison(tokens));
  const first = operand();
  const operands = [first];
  while (accept(tokens, kind === 'some' ? '||' : '&&')) operands.push(operand());
  return operands.length === 1 ? first : { kind, operands, column };
}

const operators = ['==', '!=', '=~', '!~', 'includes'] as const;

/** Comparisons associate to the left: `a == b == c` is `(a == b) == c`. */
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

/** `!a =~ /b/` means `!(a =~ /b/)`, as authors expect: a boolean can never match a pattern. */
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
  // Three or more negations are equivalent to one or two. Keeping them all would nest too deeply.
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
  if (accept(tokens, '['))
    return { kind: 'list', items: untilClosed(tokens, ']'), column: token.column };
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
  if (name === 'true' || name === 'false')
    return { kind: 'literal', value: name === 'true', column };
  if (name === 'null') return { kind: 'literal', value: null, column };
  if (name === 'includes')
    throw new ConditionError('the left side of `includes` must be a list', column);
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
      ? 'the end of the condition'
      : 'text' in token
        ? `\`${token.text}\``
        : { integer: 'an integer', text: 'a string', regex: 'a regular expression' }[token.kind];
  return new ConditionError(`expected ${wanted}, found ${found}`, token.column);
}

export type Node = { readonly column: number } & (
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  /** A string, split at its variables (`$X`, `${X}`). Without quotes, it is a single variable. */
  | { readonly kind: 'text'; readonly parts: readonly TextPart[]; readonly isQuoted: boolean }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'regex'; readonly regex: Regex }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly given: readonly Node[] }
  | { readonly kind: 'not'; readonly operand: Node }
  | { readonly kind: 'every' | 'some'; readonly operands: readonly Node[] }
  | {
      readonly kind: 'compare';
      readonly operator: (typeof operators)[number];
      readonly left: Node;
      readonly right: Node;
    }
  | { readonly kind: 'choose'; readonly condition: Node; readonly yes: Node; readonly no: Node }
);

export type TextPart = { readonly text: string } | { readonly variable: string };

type Token = { readonly column: number } & (
  | { readonly kind: 'sign' | 'name'; readonly text: string }
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[]; readonly isQuoted: boolean }
  | { readonly kind: 'regex'; readonly regex: Regex }
  | { readonly kind: 'end' }
);

const blanks = /(?:\s+|\/\/[^\n]*)*/y;
const signs = /==|!=|=~|!~|&&|\|\||[!()[\],?:]/y;
const names = /[A-Za-z_][A-Za-z0-9_.]*/y;
const integers = /\d+/y;
const regexes = /\/((?:[^/\\]|\\.)+)\/([A-Za-z]*)/sy;
const variables = /\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})/y;

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const skip = (index: number): number => index + (matchAt(blanks, source, index)[0] ?? '').length;
  for (let index = skip(0); index < source.length;) {
    const { end, ...token } = tokenAt(source, index);
    tokens.push(token);
    index = skip(end);
  }
  return [...tokens, { kind: 'end', column: source.length + 1 }];
}

/** Returns the match of a sticky pattern and its groups; empty if the pattern does not match. */
function matchAt(pattern: RegExp, source: string, index: number): readonly string[] {
  pattern.lastIndex = index;
  return pattern.exec(source) ?? [];
}

type Read = Token & { readonly end: number };

function tokenAt(source: string, index: number): Read {
  const column = index + 1;
  const char = source[index];
  if (char === '"' || char === "'")
    return { kind: 'text', ...readQuoted(source, index), isQuoted: true, column };
  if (char === '/') return regexAt(source, index);
  if (char === '$') {
    const [variable] = matchAt(variables, source, index);
    if (variable === undefined)
      throw new ConditionError('`$` is not followed by a variable name', column);
    const end = index + variable.length;
    return { kind: 'text', parts: [{ variable }], isQuoted: false, column, end };
  }
  const [sign] = matchAt(signs, source, index);
  if (sign !== undefined) return { kind: 'sign', text: sign, column, end: index + sign.length };
  const [digits] = matchAt(integers, source, index);
  if (digits !== undefined)
    return { kind: 'integer', value: Number(digits), column, end: index + digits.length };
  const [name] = matchAt(names, source, index);
  if (name === undefined) throw new ConditionError(whyUnknown(source, index), column);
  if (/\.\.|\.$/.test(name)) throw new ConditionError(`\`${name}\` is not a valid name`, column);
  return { kind: 'name', text: name, column, end: index + name.length };
}

function whyUnknown(source: string, index: number): string {
  const char = String.fromCodePoint(source.codePointAt(index) ?? 0);
  if (char === '=') return '`=` is not an operator; did you mean `==`?';
  if (char === '&' || char === '|')
    return `\`${char}\` is not an operator; did you mean \`${char}${char}\`?`;
  return `unexpected \`${char}\``;
}

function regexAt(source: string, index: number): Read {
  const [all, pattern = '', flags = ''] = matchAt(regexes, source, index);
  if (all === undefined)
    throw new ConditionError('the regular expression has no closing `/`', index + 1);
  const end = index + all.length;
  const unknown = flags.replace(/i/g, '')[0];
  if (unknown !== undefined)
    throw new ConditionError(
      `\`${unknown}\` is not a supported regular expression flag; only \`i\` is`,
      end - flags.length + flags.indexOf(unknown) + 1,
    );
  const regex = parseRegex(pattern, flags !== '', (message, offset) => {
    throw new ConditionError(message, index + 2 + offset);
  });
  return { kind: 'regex', regex, column: index + 1, end };
}

/** Parses a string from its opening quote. Only double quotes allow variables and most escapes. */
function readQuoted(source: string, start: number): { parts: TextPart[]; end: number } {
  const quote = source[start];
  const parts: TextPart[] = [];
  let text = '';
  let index = start + 1;
  while (index < source.length && source[index] !== quote) {
    const [variable] = quote === '"' ? matchAt(variables, source, index) : [];
    if (variable === undefined) {
      const [char, length] = characterAt(source, index, quote === '"');
      text += char;
      index += length;
    } else {
      parts.push({ text }, { variable });
      text = '';
      index += variable.length;
    }
  }
  if (index >= source.length)
    throw new ConditionError('the string has no closing quote', start + 1);
  return { parts: [...parts, { text }], end: index + 1 };
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', s: ' ', r: '\r', t: '\t', v: '\v', f: '\f', b: '\b', a: '\x07', e: '\x1b' },
};

/** Returns the character at `index` of a string and the length of its source text. */
function characterAt(source: string, index: number, isDouble: boolean): [string, number] {
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

export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  readonly column: number;

  constructor(message: string, column: number) {
    super(message);
    this.column = column;
  }
}
