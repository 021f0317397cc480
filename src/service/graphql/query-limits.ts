/** Rejects expensive queries before they are executed. */
import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  Kind,
  Lexer,
  Source,
  TokenKind,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { defaultSize } from './connection.ts';

export const maxDepth = 15;
const maxComplexity = 50_000;

/** Runs before validation, whose rules are slow for deeply nested queries. */
export function limitDepth(document: DocumentNode): void {
  const depth = queryDepth(document);
  if (depth > maxDepth) throw tooDeep(depth);
}

export const tooDeep = (depth: number): GraphQLError =>
  tooMuch('depth', depth, maxDepth, 'to reach deeply nested objects, query them by ID');

/** Ignores a missing operation and invalid variables, because `execute` reports them. */
export function limitComplexity(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  input: Variables,
): void {
  const operation = getOperationAST(document, operationName);
  if (!operation) return;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], input);
  if (coerced === undefined) return;
  const complexity = queryComplexity(document, operation, coerced);
  if (complexity > maxComplexity)
    throw tooMuch('complexity', complexity, maxComplexity, 'request fewer or smaller pages');
}

const tooMuch = (what: string, found: number, most: number, hint: string): GraphQLError =>
  new GraphQLError(`The query has a ${what} of ${found}, but the maximum is ${most}: ${hint}`);

/**
 * Returns the depth of the deepest operation: 2 for `{ a { b } }`. Fragments and introspection do
 * not add to the depth. The query may be invalid; a fragment in a cycle counts once.
 */
export function queryDepth({ definitions }: DocumentNode): number {
  const fragments = fragmentsOf(definitions);
  const known = new Map<string, number>();
  const ofFragment = (name: string): number => {
    const cached = known.get(name);
    if (cached !== undefined) return cached;
    known.set(name, 0);
    const depth = ofSet(fragments.get(name)?.selectionSet);
    known.set(name, depth);
    return depth;
  };
  const ofSelection = (selection: SelectionNode): number => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return ofSet(selection.selectionSet);
    return isIntrospection(selection) ? 0 : 1 + ofSet(selection.selectionSet);
  };
  const ofSet = (set: SelectionSetNode | undefined): number =>
    set?.selections.reduce((depth, one) => Math.max(depth, ofSelection(one)), 0) ?? 0;
  return definitions.reduce(
    (depth, one) =>
      one.kind === Kind.OPERATION_DEFINITION ? Math.max(depth, ofSet(one.selectionSet)) : depth,
    0,
  );
}

/**
 * Estimates the depth of a query that is too deep to parse. Counts the braces outside of arguments
 * in the first `maxTokens` tokens.
 */
export function textDepth(query: string, maxTokens: number): number {
  const lexer = new Lexer(new Source(query));
  let [depth, deepest, parentheses] = [0, 0, 0];
  try {
    for (let n = 0; n < maxTokens && lexer.advance().kind !== TokenKind.EOF; n++) {
      const { kind } = lexer.token;
      if (kind === TokenKind.PAREN_L) parentheses++;
      else if (kind === TokenKind.PAREN_R) parentheses--;
      else if (parentheses === 0)
        depth += kind === TokenKind.BRACE_L ? 1 : kind === TokenKind.BRACE_R ? -1 : 0;
      deepest = Math.max(deepest, depth);
    }
  } catch {
    // Counting stops at a syntax error.
  }
  return deepest;
}

const fragmentsOf = (
  definitions: DocumentNode['definitions'],
): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [],
    ),
  );

const isIntrospection = ({ name }: FieldNode): boolean =>
  name.value === '__schema' || name.value === '__type';

/** The variables of the operation, with default values filled in. */
export type Variables = Readonly<Record<string, unknown>>;

/**
 * Computes the complexity of a valid query as in the public API: 1 for each object, 0 for each
 * scalar. `edges` counts once, and its content is multiplied by the page size.
 */
export function queryComplexity(
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): number {
  const fragments = fragmentsOf(definitions);
  const known = new Map<string, number>();
  const ofFragment = (name: string, pageSize: number): number => {
    // The page size also applies to fragments on a connection.
    const key = `${name} ${pageSize}`;
    const cost = known.get(key) ?? ofSet(fragments.get(name)?.selectionSet, pageSize);
    known.set(key, cost);
    return cost;
  };
  const ofField = (field: FieldNode, pageSize: number): number => {
    if (field.selectionSet === undefined || isIntrospection(field)) return 0;
    const times = field.name.value === 'edges' ? pageSize : 1;
    // The sum can be infinite, and `0 * Infinity` is NaN.
    return 1 + (times === 0 ? 0 : times * ofSet(field.selectionSet, pageSizeOf(field, variables)));
  };
  const ofSelection = (one: SelectionNode, pageSize: number): number => {
    if (isSkipped(one.directives, variables)) return 0;
    if (one.kind === Kind.FIELD) return ofField(one, pageSize);
    if (one.kind === Kind.FRAGMENT_SPREAD) return ofFragment(one.name.value, pageSize);
    return ofSet(one.selectionSet, pageSize);
  };
  const ofSet = (set: SelectionSetNode | undefined, pageSize: number): number =>
    set?.selections.reduce((sum, one) => sum + ofSelection(one, pageSize), 0) ?? 0;
  return ofSet(operation.selectionSet, 1);
}

/** Returns the larger of `first` and `last`. The service reads that many elements. */
function pageSizeOf({ arguments: given = [] }: FieldNode, variables: Variables): number {
  const sizes = given
    .filter(({ name }) => name.value === 'first' || name.value === 'last')
    .map(({ value }) => valueOf(value, variables))
    .filter((value) => typeof value === 'number');
  return sizes.length === 0 ? defaultSize : Math.max(0, ...sizes);
}

const isSkipped = (
  directives: readonly DirectiveNode[] | undefined,
  variables: Variables,
): boolean =>
  directives?.some(({ name, arguments: [condition] = [] }) => {
    const value = condition && valueOf(condition.value, variables);
    return name.value === 'skip' ? value === true : name.value === 'include' && value === false;
  }) ?? false;

function valueOf(value: ValueNode, variables: Variables): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind === Kind.BOOLEAN) return value.value;
  return value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
}
