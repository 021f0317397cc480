/** The conditional language of `if`: parsed, checked, and judged. */
import { interpolate } from '../interpolate.ts';
import { ConditionError, parseCondition, type Node, type TextPart } from './parse-condition.ts';
import { type ConditionContext, type ConditionValue, conditionVariables } from './context.ts';
import { matchesRegex, type Regex } from '../regex.ts';
import { didYouMeanCode } from '../keys.ts';

export { ConditionError } from './parse-condition.ts';
export { conditionContext, type ConditionContext } from './context.ts';

/**
 * Whether a condition holds. Throws `ConditionError` for a syntax error, an unknown variable and
 * types that do not fit, also where the part in question would not be reached.
 */
export function evaluateCondition(source: string, context: ConditionContext): boolean {
  const node = parseCondition(source);
  checkTypes(node);
  return isTrue(node, context);
}

/** Null is no more true than false is: a pull request that is none is no draft. */
const isTrue = (node: Node, context: ConditionContext): boolean => valueOf(node, context) === true;

function valueOf(node: Node, context: ConditionContext): ConditionValue {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'text':
      return textOf(node.parts, node.isQuoted, context, node.column);
    case 'variable':
      return context.values[node.name] ?? null;
    case 'call':
      return variableOf(node.name, node.given[0], context);
    case 'list':
      return node.items.map((item) => String(valueOf(item, context) ?? ''));
    case 'not':
      return !isTrue(node.operand, context);
    case 'every':
      return node.operands.every((one) => isTrue(one, context));
    case 'some':
      return node.operands.some((one) => isTrue(one, context));
    case 'choose':
      return valueOf(isTrue(node.condition, context) ? node.yes : node.no, context);
    case 'compare':
      return compare(node, context);
    case 'regex':
      return null;
  }
}

function compare(
  { operator, left, right }: Node & { kind: 'compare' },
  context: ConditionContext,
): boolean {
  const value = valueOf(left, context);
  const matches = (one: ConditionValue, regex: Regex): boolean =>
    typeof one === 'string' && matchesRegex(regex, one);
  switch (operator) {
    case '==':
      return value === valueOf(right, context);
    case '!=':
      return value !== valueOf(right, context);
    case '=~':
      return right.kind === 'regex' && matches(value, right.regex);
    case '!~':
      return right.kind !== 'regex' || !matches(value, right.regex);
    case 'includes': {
      const items = Array.isArray(value) ? (value as readonly string[]) : [];
      if (right.kind === 'regex') return items.some((one) => matches(one, right.regex));
      const wanted = valueOf(right, context);
      return items.some((one) => one === wanted);
    }
  }
}

/** `env()` is empty where the variable is not set, `build.env()` null. */
function variableOf(
  name: string,
  given: Node | undefined,
  context: ConditionContext,
): string | null {
  const wanted = given === undefined ? null : valueOf(given, context);
  if (typeof wanted !== 'string' || !/^[A-Za-z0-9_]+$/.test(wanted)) {
    const shown = typeof wanted === 'string' ? wanted : '';
    throw new ConditionError(`\`${shown}\` is no name of a variable`, given?.column ?? 1);
  }
  return get(context, wanted) ?? (name === 'env' ? '' : null);
}

const get = ({ env }: ConditionContext, name: string): string | undefined =>
  Object.hasOwn(env, name) ? env[name] : undefined;

/** A variable that stands alone is null where it is not set, one in quotes is empty. */
function textOf(
  parts: readonly TextPart[],
  isQuoted: boolean,
  context: ConditionContext,
  column: number,
): string | null {
  const texts = parts.map((part) =>
    'text' in part ? part.text : filled(part.variable, context, column),
  );
  return isQuoted || !texts.includes(null) ? texts.join('') : null;
}

/** Null where the variable is not set. */
function filled(source: string, context: ConditionContext, column: number): string | null {
  const unset: string[] = [];
  const text = interpolate(source, {
    get: (name) => get(context, name),
    isLeftToShell: () => false,
    unset: (name) => unset.push(name),
    problem: (problem) => {
      throw new ConditionError(problem, column);
    },
  });
  return unset.length > 0 ? null : text;
}

// Whether the parts of a condition fit each other, before anything is compared.

type Type = 'string' | 'integer' | 'boolean' | 'list' | 'null' | 'regex';

const named: Readonly<Record<Type, string>> = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'true or false',
  list: 'a list',
  null: 'null',
  regex: 'a regular expression',
};

/** Throws `ConditionError` at the first part that does not fit; the whole is to be a boolean. */
function checkTypes(node: Node): void {
  want(node, ['boolean'], 'a condition must come to true or false');
}

function typeOf(node: Node): Type {
  switch (node.kind) {
    case 'literal':
      return node.value === null ? 'null' : scalar(node.value);
    case 'text':
      return 'string';
    case 'regex':
      return 'regex';
    case 'variable':
      return variable(node.name, node.column);
    case 'call':
      return call(node.name, node.given, node.column);
    case 'list':
      for (const item of node.items) want(item, ['string'], 'a list holds strings');
      return 'list';
    case 'not':
      want(node.operand, ['boolean', 'null'], '`!` takes true or false');
      return 'boolean';
    case 'every':
    case 'some': {
      const sign = node.kind === 'every' ? '&&' : '||';
      for (const one of node.operands) want(one, ['boolean'], `\`${sign}\` takes true or false`);
      return 'boolean';
    }
    case 'compare':
      checkComparison(node);
      return 'boolean';
    case 'choose':
      return checkChoice(node);
  }
}

const scalar = (value: string | number | boolean): Type =>
  typeof value === 'number' ? 'integer' : typeof value === 'boolean' ? 'boolean' : 'string';

function variable(name: string, column: number): Type {
  const known = Object.hasOwn(conditionVariables, name) ? conditionVariables[name] : undefined;
  if (known !== undefined) return known.type;
  if (name.startsWith('step.'))
    throw new ConditionError(`\`${name}\` is known to notifications alone`, column);
  const hint = didYouMeanCode(name, Object.keys(conditionVariables));
  throw new ConditionError(`unknown variable \`${name}\`${hint}`, column);
}

function call(name: string, given: readonly Node[], column: number): Type {
  if (name !== 'env' && name !== 'build.env') {
    const hint = didYouMeanCode(name, ['env', 'build.env']);
    throw new ConditionError(`unknown function \`${name}\`${hint}`, column);
  }
  const [first] = given;
  if (first === undefined || given.length > 1)
    throw new ConditionError(`\`${name}\` takes one name of a variable`, column);
  want(first, ['string'], `\`${name}\` takes the name of a variable in quotes`);
  return 'string';
}

function checkComparison({ operator, left, right }: Node & { kind: 'compare' }): void {
  if (operator === 'includes') {
    want(left, ['list', 'null'], '`includes` needs a list before it');
    want(
      right,
      ['string', 'regex', 'null'],
      '`includes` looks for a string or a regular expression',
    );
  } else if (operator === '==' || operator === '!=') {
    equal(operator, left, right);
  } else {
    want(left, ['string', 'null'], `\`${operator}\` needs a string before it`);
    want(right, ['regex'], `\`${operator}\` needs a regular expression (\`/…/\`) after it`);
  }
}

function equal(operator: string, left: Node, right: Node): void {
  const [one, other] = [typeOf(left), typeOf(right)];
  for (const [type, { column }] of [
    [one, left],
    [other, right],
  ] as const) {
    if (type === 'list')
      throw new ConditionError(`\`${operator}\` compares no lists; use \`includes\``, column);
    if (type === 'regex')
      throw new ConditionError(
        `a regular expression is matched by \`=~\`, not by \`${operator}\``,
        column,
      );
  }
  if (one !== other && one !== 'null' && other !== 'null')
    throw new ConditionError(
      `\`${operator}\` compares ${named[one]} with ${named[other]}`,
      right.column,
    );
  checkWord(left, right);
  checkWord(right, left);
}

/** A word that the variable never is: `build.source == "push"`. */
function checkWord(node: Node, { kind, ...other }: Node): void {
  if (node.kind !== 'variable' || kind !== 'text' || !('parts' in other)) return;
  const { words } = conditionVariables[node.name] ?? {};
  const [part, ...more] = other.parts;
  if (words === undefined || part === undefined || more.length > 0 || !('text' in part)) return;
  if (words.includes(part.text)) return;
  const all = `it is one of ${words.join(', ')}`;
  throw new ConditionError(`\`${node.name}\` is never "${part.text}": ${all}`, other.column);
}

function checkChoice({ condition, yes, no }: Node & { kind: 'choose' }): Type {
  want(condition, ['boolean'], '`?` asks for true or false');
  const [one, other] = [typeOf(yes), typeOf(no)];
  if (one === other || other === 'null') return one;
  if (one === 'null') return other;
  throw new ConditionError(
    `\`? :\` has ${named[one]} on one side and ${named[other]} on the other`,
    no.column,
  );
}

function want(node: Node, types: readonly Type[], rule: string): void {
  const found = typeOf(node);
  if (types.includes(found)) return;
  const isAsked = found === 'string' && types.includes('boolean');
  const hint = isAsked ? '; compare it (`!= null`)' : '';
  throw new ConditionError(`${rule}, and this is ${named[found]}${hint}`, node.column);
}
