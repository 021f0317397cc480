/** Lists of builds, the newest first. */
import type { BuildFilters } from '../../store/build-filters.ts';
import { connection, type Connection, type PageArguments } from '../connection.ts';
import type { Viewpoint } from '../viewpoint.ts';
import { buildNode } from './build.ts';

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
  viewpoint: Viewpoint,
  scope: BuildFilters,
  given: BuildArguments,
): Connection {
  const { builds } = viewpoint.core.store;
  const filters: BuildFilters = {
    organizationIds: viewpoint.caller.token.organizationIds,
    ...scope,
    ...(given.state && { states: given.state.map((state) => state.toLowerCase()) }),
    ...(given.branch && { branches: given.branch }),
    ...(given.commit && { commits: given.commit }),
    ...(given.metaData && { metaData: given.metaData.map(pair) }),
    ...(given.createdAtFrom && { createdFrom: instant(given.createdAtFrom) }),
    ...(given.createdAtTo && { createdTo: instant(given.createdAtTo) }),
  };
  return connection(builds.ids(filters), given, (id) => buildNode(viewpoint, id));
}

function pair(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 0) throw new Error(`"${text}" must be KEY:VALUE`);
  return [text.slice(0, colon), text.slice(colon + 1)];
}

function instant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Error(`"${text}" is no time`);
  return at;
}
