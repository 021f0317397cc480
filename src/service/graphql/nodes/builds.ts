/** Lists of builds, the newest first. */
import type { BuildFilters } from '../../store/build-filters.ts';
import type { Connection, PageArguments } from '../connection.ts';
import { instant } from '../instant.ts';
import { storedConnection } from '../stored-connection.ts';
import type { GraphqlContext } from '../context.ts';

export interface BuildArguments extends PageArguments {
  readonly state?: readonly string[] | null;
  readonly branch?: readonly string[] | null;
  readonly commit?: readonly string[] | null;
  /** `key:value`. */
  readonly metaData?: readonly string[] | null;
  readonly createdAtFrom?: string | null;
  readonly createdAtTo?: string | null;
}

/** Builds of organizations that the caller sees. */
export function buildsOf(
  viewpoint: GraphqlContext,
  scope: BuildFilters,
  given: BuildArguments,
): Connection {
  const { builds } = viewpoint.core.store;
  const filters: BuildFilters = {
    organizationIds: viewpoint.caller.token.organizationIds,
    ...scope,
    ...filtersOf(given),
  };
  return storedConnection(
    {
      window: (window) => builds.window(filters, window),
      count: () => builds.count(filters),
      idOf: (id) => id,
      isKnown: (id) => builds.byId(id) !== undefined,
      node: (id) => viewpoint.nodes.build(viewpoint, id),
    },
    given,
  );
}

function filtersOf(given: BuildArguments): BuildFilters {
  const createdFrom = instant(given.createdAtFrom);
  const createdTo = instant(given.createdAtTo);
  return {
    ...(given.state && { states: given.state.map((state) => state.toLowerCase()) }),
    ...(given.branch && { branches: given.branch }),
    ...(given.commit && { commits: given.commit }),
    ...(given.metaData && { metaData: given.metaData.map(pair) }),
    ...(createdFrom !== undefined && { createdFrom }),
    ...(createdTo !== undefined && { createdTo }),
  };
}

function pair(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 0) throw new Error(`"${text}" must be KEY:VALUE`);
  return [text.slice(0, colon), text.slice(colon + 1)];
}
