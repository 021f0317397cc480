/** The conditional language of `if`: parsed, checked, and judged. */
import { interpolate } from '../interpolate.ts';
import { checkTypes } from './check-types.ts';
import { ConditionError } from './condition-error.ts';
import type { ConditionContext, ConditionValue } from './context.ts';
import { parseCondition } from './parse-condition.ts';
import { matchesRegex } from '../regex/match-regex.ts';
import type { Regex } from '../regex/parse-regex.ts';
import type { Node, TextPart } from './tree.ts';

export { ConditionError } from './condition-error.ts';
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
