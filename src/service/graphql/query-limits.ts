/** Refuses what would cost too much, before any of it runs. */
import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  Lexer,
  Source,
  TokenKind,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  getNamedType,
  isInterfaceType,
  isObjectType,
  typeFromAST,
  type FieldNode,
  type GraphQLNamedType,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type DirectiveNode,
  type ValueNode,
} from 'graphql';
import { defaultSize } from './connection.ts';

/** Fields in one another. */
export const maxDepth = 15;

/** Fields, each as often as the connections around it are long. */
const maxComplexity = 50_000;

/**
 * Throws where fields lie too deep in one another. It asks for no valid query: the rules themselves
 * take long over one that is deep.
 */
export function limitDepth(document: DocumentNode): void {
  const depth = queryDepth(document);
  if (depth > maxDepth) throw tooDeep(depth);
}

/** What is said of a query with fields so deep in one another. */
export const tooDeep = (depth: number): GraphQLError =>
  tooMuch('depth', depth, maxDepth, 'ask for what lies deep by its id');

/**
 * Throws where the operation of that name asks for too many fields. A query without it, or with
 * variables of another type, is left to whoever runs it.
 */
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
  const complexity = queryComplexity(schema, document, operation, coerced);
  if (complexity > maxComplexity)
    throw tooMuch('complexity', complexity, maxComplexity, 'ask for fewer or smaller pages');
}

const tooMuch = (what: string, found: number, most: number, hint: string): GraphQLError =>
  new GraphQLError(`The query has a ${what} of ${found}, and at most ${most} is allowed: ${hint}`);

// How deep the fields of a query lie in one another.

/**
 * The depth of the deepest operation: `{ a { b } }` has 2. Fragments add nothing of their own, and
 * what `__schema` and `__type` show does not count. The query need not be valid: a fragment within
 * itself counts once, since it is another rule's to refuse.
 */
export function queryDepth(document: DocumentNode): number {
  const depthOf = depthWith(fragmentsOf(document));
  return Math.max(
    0,
    ...document.definitions.map((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? depthOf(one.selectionSet) : 0,
    ),
  );
}

/**
 * The depth of a text that is nested too deeply to be parsed, as far as its first `most` tokens show
 * it: by its braces, without those of arguments. The text may end in anything.
 */
export function textDepth(query: string, most: number): number {
  const lexer = new Lexer(new Source(query));
  let [depth, deepest, inside] = [0, 0, 0];
  try {
    for (let n = 0; n < most && lexer.advance().kind !== TokenKind.EOF; n++) {
      const { kind } = lexer.token;
      if (kind === TokenKind.PAREN_L) inside++;
      else if (kind === TokenKind.PAREN_R) inside--;
      else if (inside === 0)
        depth += kind === TokenKind.BRACE_L ? 1 : kind === TokenKind.BRACE_R ? -1 : 0;
      deepest = Math.max(deepest, depth);
    }
  } catch {
    // What comes before counts.
  }
  return deepest;
}

/** The fragments of a query by their names. */
const fragmentsOf = ({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [],
    ),
  );

/** Each fragment is looked at once, however often it is named. */
function depthWith(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  const known = new Map<string, number>();
  const ofFragment = (name: string): number => {
    const before = known.get(name);
    if (before !== undefined) return before;
    known.set(name, 0);
    const depth = ofSet(fragments.get(name)?.selectionSet);
    known.set(name, depth);
    return depth;
  };
  const ofSelection = (selection: SelectionNode): number => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return ofSet(selection.selectionSet);
    return isIntrospection(selection.name.value) ? 0 : 1 + ofSet(selection.selectionSet);
  };
  const ofSet = (set: SelectionSetNode | undefined): number =>
    set?.selections.reduce((depth, one) => Math.max(depth, ofSelection(one)), 0) ?? 0;
  return ofSet;
}

/** What shows the schema, and no data. */
const isIntrospection = (field: string): boolean => field === '__schema' || field === '__type';

// How many fields a query asks for, before any of it runs.

/**
 * The fields of one operation of a valid query: each counts as often as the connections around it are
 * long, by `first` or `last`, the larger of both, 30 where there is neither. What `__schema` and
 * `__type` show does not count, nor does what `@skip` and `@include` leave out.
 */
export function queryComplexity(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): number {
  const count = counting(schema, fragmentsOf(document), variables);
  return count(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined);
}

type Parent = GraphQLNamedType | undefined;

/** Each fragment is counted once, for one object: what it costs elsewhere is a multiple of that. */
function counting(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Variables,
) {
  const known = new Map<string, number>();
  const ofFragment = (name: string): number => {
    const fragment = fragments.get(name);
    const cost =
      known.get(name) ??
      ofSet(fragment?.selectionSet, namedType(schema, fragment?.typeCondition, undefined));
    known.set(name, cost);
    return cost;
  };
  const ofField = (field: FieldNode, parent: Parent): number => {
    if (isIntrospection(field.name.value)) return 0;
    const type = memberType(parent, field.name.value);
    const times = isConnection(type) ? sizeOfField(field, variables) : 1;
    // A sum may be endless, and nothing times that would be no number.
    return 1 + (times === 0 ? 0 : times * ofSet(field.selectionSet, type));
  };
  const ofSelection = (one: SelectionNode, parent: Parent): number => {
    if (isLeftOut(one.directives, variables)) return 0;
    if (one.kind === Kind.FIELD) return ofField(one, parent);
    if (one.kind === Kind.FRAGMENT_SPREAD) return ofFragment(one.name.value);
    return ofSet(one.selectionSet, namedType(schema, one.typeCondition, parent));
  };
  const ofSet = (set: SelectionSetNode | undefined, parent: Parent): number =>
    set?.selections.reduce((sum, one) => sum + ofSelection(one, parent), 0) ?? 0;
  return ofSet;
}

const namedType = (
  schema: GraphQLSchema,
  name: NamedTypeNode | undefined,
  otherwise: Parent,
): Parent => (name === undefined ? otherwise : typeFromAST(schema, name));

function memberType(parent: Parent, name: string): Parent {
  if (!isObjectType(parent) && !isInterfaceType(parent)) return undefined;
  const member = parent.getFields()[name];
  return member && getNamedType(member.type);
}

const isConnection = (type: Parent): boolean =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Connection');

// What arguments and directives say, before a query runs.

/** The values of the operation's variables, defaults among them. */
export type Variables = Readonly<Record<string, unknown>>;

/** How many elements of a connection are asked for: the service reads as many as the larger says. */
function sizeOfField({ arguments: given = [] }: FieldNode, variables: Variables): number {
  const sizes = given
    .filter(({ name }) => name.value === 'first' || name.value === 'last')
    .map(({ value }) => valueOf(value, variables))
    .filter((value) => typeof value === 'number');
  return sizes.length === 0 ? defaultSize : Math.max(0, ...sizes);
}

/** Whether `@skip` or `@include` leaves it out. */
const isLeftOut = (
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
