/** Whether the parts of a condition fit each other, before anything is compared. */
import { didYouMeanCode } from './did-you-mean.ts';
import { ConditionError } from './condition-error.ts';
import { conditionVariables } from './context.ts';
import type { Node } from './tree.ts';

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
export function checkTypes(node: Node): void {
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
