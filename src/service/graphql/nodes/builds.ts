import type { BuildFilters } from '../../store/build-filters.ts';
import { type Connection, type PageArguments, instant, storedConnection } from '../connection.ts';
import type { GraphqlContext } from '../context.ts';

export interface BuildArguments extends PageArguments {
  readonly state?: readonly string[] | null;
  readonly branch?: readonly string[] | null;
  readonly commit?: readonly string[] | null;
  /** Entries of the form `key:value`. */
  readonly metaData?: readonly string[] | null;
  readonly createdAtFrom?: string | null;
  readonly createdAtTo?: string | null;
}

/** Lists visible builds, newest first. */
export function buildsOf(
  context: GraphqlContext,
  scope: BuildFilters,
  args: BuildArguments,
): Promise<Connection> {
  const { builds } = context.service.store;
  const filters: BuildFilters = {
    organizationIds: context.caller.token.organizationIds,
    ...scope,
    states: args.state?.map((state) => state.toLowerCase()),
    branches: args.branch ?? undefined,
    commits: args.commit ?? undefined,
    metaData: args.metaData?.map(pair),
    createdFrom: instant(args.createdAtFrom),
    createdTo: instant(args.createdAtTo),
  };
  return storedConnection(
    {
      window: (window) => builds.window(filters, window),
      count: () => builds.count(filters),
      idOf: (id) => id,
      isKnown: (id) => builds.byId(id) !== undefined,
      node: (id) => context.nodes.build(context, id),
    },
    args,
  );
}

function pair(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 0) throw new Error(`"${text}" must be KEY:VALUE`);
  return [text.slice(0, colon), text.slice(colon + 1)];
}
