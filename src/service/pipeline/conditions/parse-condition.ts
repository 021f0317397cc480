/** A condition -> a tree, by falling precedence: `!`, comparisons, `&&`, `||`, `? :`. */
import { ConditionError, tokensOf, type Token } from './tokens.ts';
import type { Regex } from '../regex/parse-regex.ts';

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
