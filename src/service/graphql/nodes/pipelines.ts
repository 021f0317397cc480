/** Lists of pipelines. */
import type { Organization, Pipeline } from '../../domain/records.ts';
import { connection, nothing, type Connection, type PageArguments } from '../connection.ts';
import { instant } from '../instant.ts';
import type { GraphqlContext } from '../context.ts';

export interface PipelineArguments extends PageArguments {
  readonly archived?: boolean | null;
  readonly search?: string | null;
  readonly repository?: { readonly url: string } | null;
  readonly order?: 'NAME' | 'NAME_WITH_FAVORITES_FIRST' | 'RECENTLY_CREATED' | 'RELEVANCE' | null;
  readonly favorite?: boolean | null;
  readonly tags?: readonly string[] | null;
  readonly team?: unknown;
  readonly cluster?: string | null;
  readonly createdAtFrom?: string | null;
  readonly createdAtTo?: string | null;
}

/** The newest first. */
export function pipelinesOf(
  viewpoint: GraphqlContext,
  { id }: Organization,
  given: PipelineArguments,
): Connection {
  if (asksForAbsent(given)) return nothing();
  const isWanted = filterOf(given);
  const found = viewpoint.core.store.pipelines.list(id).filter(isWanted).reverse();
  if (given.order?.startsWith('NAME')) found.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return connection(
    found,
    given,
    (pipeline) => pipeline.id,
    (pipeline) => viewpoint.nodes.pipeline(viewpoint, pipeline),
  );
}

/** None is archived, a favorite, tagged, or belongs to a team or cluster. */
const asksForAbsent = ({ archived, favorite, tags, team, cluster }: PipelineArguments): boolean =>
  archived === true ||
  favorite === true ||
  (tags ?? []).length > 0 ||
  Boolean(team) ||
  Boolean(cluster);

function filterOf(given: PipelineArguments): (pipeline: Pipeline) => boolean {
  const search = (given.search ?? '').toLowerCase();
  const from = instant(given.createdAtFrom) ?? -Infinity;
  const to = instant(given.createdAtTo) ?? Infinity;
  return ({ name, slug, repository, createdAt }) =>
    `${name} ${slug}`.toLowerCase().includes(search) &&
    (!given.repository || repository === given.repository.url) &&
    createdAt >= from &&
    createdAt < to;
}
