/** What arguments and directives say, before a query runs. */
import { Kind, type DirectiveNode, type FieldNode, type ValueNode } from 'graphql';
import { defaultSize } from './connection.ts';

/** The values of the operation's variables, defaults among them. */
export type Variables = Readonly<Record<string, unknown>>;

/** How many elements of a connection are asked for: the service reads as many as the larger says. */
export function sizeOfField({ arguments: given = [] }: FieldNode, variables: Variables): number {
  const sizes = given
    .filter(({ name }) => name.value === 'first' || name.value === 'last')
    .map(({ value }) => valueOf(value, variables))
    .filter((value) => typeof value === 'number');
  return sizes.length === 0 ? defaultSize : Math.max(0, ...sizes);
}

/** Whether `@skip` or `@include` leaves it out. */
export const isLeftOut = (
  directives: readonly DirectiveNode[] | undefined,
  variables: Variables,
): boolean =>
  directives?.some(({ name, arguments: [condition] = [] }) => {
    const value = condition && valueOf(condition.value, variables);
    return name.value === 'skip' ? value === true : name.value === 'include' && value === false;
  }) ?? false;

/** Of a number, a truth or a variable; undefined for anything else. */
function valueOf(value: ValueNode, variables: Variables): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind === Kind.BOOLEAN) return value.value;
  return value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
}
