/** How deep the fields of a query lie in one another. */
import {
  Kind,
  Lexer,
  Source,
  TokenKind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

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
export const fragmentsOf = ({
  definitions,
}: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
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
export const isIntrospection = (field: string): boolean =>
  field === '__schema' || field === '__type';
