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
  context: GraphqlContext,
  { id }: Organization,
  args: PipelineArguments,
): Connection {
  if (asksForAbsent(args)) return nothing();
  const isWanted = filterOf(args);
  const found = context.service.store.pipelines.list(id).filter(isWanted).reverse();
  if (args.order?.startsWith('NAME')) found.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return connection(
    found,
    args,
    (pipeline) => pipeline.id,
    (pipeline) => context.nodes.pipeline(context, pipeline),
  );
}

/** None is archived, a favorite, tagged, or belongs to a team or cluster. */
const asksForAbsent = ({ archived, favorite, tags, team, cluster }: PipelineArguments): boolean =>
  archived === true ||
  favorite === true ||
  (tags ?? []).length > 0 ||
  Boolean(team) ||
  Boolean(cluster);

function filterOf(args: PipelineArguments): (pipeline: Pipeline) => boolean {
  const search = (args.search ?? '').toLowerCase();
  const from = instant(args.createdAtFrom) ?? -Infinity;
  const to = instant(args.createdAtTo) ?? Infinity;
  return ({ name, slug, repository, createdAt }) =>
    `${name} ${slug}`.toLowerCase().includes(search) &&
    (!args.repository || repository === args.repository.url) &&
    createdAt >= from &&
    createdAt < to;
}
