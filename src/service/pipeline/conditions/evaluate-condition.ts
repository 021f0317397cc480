/** Parses, type-checks and evaluates the conditions of `if`. */
import { interpolate } from '../interpolate.ts';
import { ConditionError, parseCondition, type Node, type TextPart } from './parse-condition.ts';
import { type ConditionContext, type ConditionValue, conditionVariables } from './context.ts';
import { matchesRegex, type Regex } from '../regex.ts';
import { didYouMeanCode } from '../keys.ts';

export { ConditionError } from './parse-condition.ts';
export { conditionContext, type ConditionContext } from './context.ts';

/**
 * Throws `ConditionError` for a syntax error, an unknown variable or a type error, even in a part
 * of the condition that does not affect the result.
 */
export function evaluateCondition(source: string, context: ConditionContext): boolean {
  const node = parseCondition(source);
  requireType(node, ['boolean'], 'a condition must evaluate to true or false');
  return isTrue(node, context);
}

/** Treats null as false. */
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

function compare({ operator, left, right }: Node & { kind: 'compare' }, context: ConditionContext) {
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

/** If the variable is not set, `env()` returns an empty string and `build.env()` returns null. */
function variableOf(name: string, given: Node | undefined, context: ConditionContext) {
  const wanted = given === undefined ? null : valueOf(given, context);
  if (typeof wanted !== 'string' || !/^[A-Za-z0-9_]+$/.test(wanted)) {
    const shown = typeof wanted === 'string' ? wanted : '';
    throw new ConditionError(`\`${shown}\` is not a variable name`, given?.column ?? 1);
  }
  return get(context, wanted) ?? (name === 'env' ? '' : null);
}

const get = ({ env }: ConditionContext, name: string): string | undefined =>
  Object.hasOwn(env, name) ? env[name] : undefined;

/** An unset variable evaluates to null, or to an empty string inside quotes. */
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

type Type = 'string' | 'integer' | 'boolean' | 'list' | 'null' | 'regex';

const named: Readonly<Record<Type, string>> = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'true or false',
  list: 'a list',
  null: 'null',
  regex: 'a regular expression',
};

function typeOf(node: Node): Type {
  switch (node.kind) {
    case 'literal':
      if (typeof node.value === 'number') return 'integer';
      return node.value === null ? 'null' : (typeof node.value as 'string' | 'boolean');
    case 'text':
      return 'string';
    case 'regex':
      return 'regex';
    case 'variable':
      return typeOfVariable(node);
    case 'call':
      return typeOfCall(node);
    case 'list':
      for (const item of node.items)
        requireType(item, ['string'], 'a list may only contain strings');
      return 'list';
    case 'not':
      requireType(node.operand, ['boolean', 'null'], '`!` requires true or false');
      return 'boolean';
    case 'every':
    case 'some': {
      const sign = node.kind === 'every' ? '&&' : '||';
      for (const one of node.operands)
        requireType(one, ['boolean'], `\`${sign}\` requires true or false`);
      return 'boolean';
    }
    case 'compare':
      checkComparison(node);
      return 'boolean';
    case 'choose':
      return checkChoice(node);
  }
}

function typeOfVariable({ name, column }: Node & { kind: 'variable' }): Type {
  const known = Object.hasOwn(conditionVariables, name) ? conditionVariables[name] : undefined;
  if (known !== undefined) return known.type;
  if (name.startsWith('step.'))
    throw new ConditionError(`\`${name}\` can only be used in notifications`, column);
  const hint = didYouMeanCode(name, Object.keys(conditionVariables));
  throw new ConditionError(`unknown variable \`${name}\`${hint}`, column);
}

function typeOfCall({ name, given, column }: Node & { kind: 'call' }): Type {
  if (name !== 'env' && name !== 'build.env') {
    const hint = didYouMeanCode(name, ['env', 'build.env']);
    throw new ConditionError(`unknown function \`${name}\`${hint}`, column);
  }
  const [first] = given;
  if (first === undefined || given.length > 1)
    throw new ConditionError(`\`${name}\` takes one variable name`, column);
  requireType(first, ['string'], `\`${name}\` requires a variable name in quotes`);
  return 'string';
}

function checkComparison({ operator, left, right }: Node & { kind: 'compare' }): void {
  if (operator === 'includes') {
    requireType(left, ['list', 'null'], 'the left side of `includes` must be a list');
    const rule = 'the right side of `includes` must be a string or a regular expression';
    requireType(right, ['string', 'regex', 'null'], rule);
  } else if (operator === '==' || operator === '!=') {
    checkEquality(operator, left, right);
  } else {
    requireType(left, ['string', 'null'], `the left side of \`${operator}\` must be a string`);
    requireType(
      right,
      ['regex'],
      `the right side of \`${operator}\` must be a regular expression (\`/…/\`)`,
    );
  }
}

function checkEquality(operator: string, left: Node, right: Node): void {
  const [one, other] = [typeOf(left), typeOf(right)];
  for (const [type, { column }] of [
    [one, left],
    [other, right],
  ] as const) {
    if (type === 'list')
      throw new ConditionError(`\`${operator}\` cannot compare lists; use \`includes\``, column);
    if (type === 'regex')
      throw new ConditionError(
        `use \`=~\` instead of \`${operator}\` to match a regular expression`,
        column,
      );
  }
  if (one !== other && one !== 'null' && other !== 'null')
    throw new ConditionError(
      `\`${operator}\` cannot compare ${named[one]} with ${named[other]}`,
      right.column,
    );
  checkWord(left, right);
  checkWord(right, left);
}

/** Rejects a value that the variable can never have, such as `build.source == "push"`. */
function checkWord(node: Node, { kind, ...other }: Node): void {
  if (node.kind !== 'variable' || kind !== 'text' || !('parts' in other)) return;
  const { words } = conditionVariables[node.name] ?? {};
  const [part, ...more] = other.parts;
  if (words === undefined || part === undefined || more.length > 0 || !('text' in part)) return;
  if (words.includes(part.text)) return;
  const all = `valid values are ${words.join(', ')}`;
  throw new ConditionError(`\`${node.name}\` is never "${part.text}": ${all}`, other.column);
}

function checkChoice({ condition, yes, no }: Node & { kind: 'choose' }): Type {
  requireType(condition, ['boolean'], 'the condition before `?` must be true or false');
  const [one, other] = [typeOf(yes), typeOf(no)];
  if (one === other || other === 'null') return one;
  if (one === 'null') return other;
  throw new ConditionError(
    `\`? :\` requires the same type on both sides, not ${named[one]} and ${named[other]}`,
    no.column,
  );
}

function requireType(node: Node, types: readonly Type[], rule: string): void {
  const found = typeOf(node);
  if (types.includes(found)) return;
  const isAsked = found === 'string' && types.includes('boolean');
  const hint = isAsked ? '; compare it, for example with `!= null`' : '';
  throw new ConditionError(`${rule}, but this is ${named[found]}${hint}`, node.column);
}
