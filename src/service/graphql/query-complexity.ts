/** How many fields a query asks for, before any of it runs. */
import {
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  typeFromAST,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { isLeftOut, sizeOfField, type Variables } from './field-size.ts';
import { fragmentsOf, isIntrospection } from './query-depth.ts';

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
