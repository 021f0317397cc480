/** Lists of builds, and how many there are. */
import type { QueueCount } from '../domain/metrics.ts';
import type { Build } from '../domain/records.ts';
import { condition, type BuildFilters } from './build-filters.ts';
import type { Scopes } from './build-groups.ts';
import { countOf, placesOf, type ListSource, type Piece } from './build-order.ts';
import type { Database, Row } from './database.ts';
import type { KnownCounts } from './known-counts.ts';
import { pipelineCounts, queueCounts, type PipelineCounts } from './pipeline-counts.ts';
import { readRecord } from './records.ts';
import type { Window } from './window.ts';

/** `offset` builds are left out, then at most `limit` come. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

export const buildLists = (database: Database, known: KnownCounts) => ({
  /** The newest first; all that there are for a negative limit. */
  list: (filters: BuildFilters, { offset, limit }: Slice): Build[] => {
    const piece = { offset, limit: limit < 0 ? Infinity : limit };
    return find({ database, known }, filters, piece).map((seq) =>
      readRecord<Build>(row(database.get('select data from builds where seq = ?', seq))),
    );
  },
  /** Ids of a piece of the list, the newest first, or the oldest where it is read from its end. */
  window: (filters: BuildFilters, { after, before, limit, fromEnd }: Window): string[] => {
    const piece = {
      ...{ offset: 0, limit, fromEnd },
      below: placeOf(database, after),
      above: placeOf(database, before),
    };
    return find({ database, known }, filters, piece).map((seq) =>
      String(row(database.get('select id from builds where seq = ?', seq)).id),
    );
  },
  count: (filters: BuildFilters): number =>
    filters.buildId === undefined
      ? countOf({ database, known }, filters, scopesOf(database, filters))
      : one(database, filters).length,
  /** How much of a pipeline is under way (specification, "Pipeline"). */
  counts: (pipelineId: string): PipelineCounts => pipelineCounts(database, pipelineId),
  /** How much agents have to do (specification, "Metrics"). */
  queueCounts: (organizationId: string): QueueCount[] => queueCounts(database, organizationId),
});

function find(source: ListSource, filters: BuildFilters, piece: Piece): number[] {
  const { database } = source;
  if (filters.buildId === undefined)
    return placesOf(source, filters, scopesOf(database, filters), piece);
  const { above = -1, below = Infinity } = piece;
  return one(database, filters)
    .filter((seq) => seq > above && seq < below)
    .slice(piece.offset, piece.offset + piece.limit);
}

/** The build of a job's token, where the filters let it through. */
function one(database: Database, filters: BuildFilters): number[] {
  const { where, values } = condition(filters);
  const sql = `select b.seq from builds b where b.id = ? and ${where}`;
  return database.all(sql, filters.buildId ?? null, ...values).map(({ seq }) => Number(seq));
}

/** A pipeline of another organization has no builds here. */
function scopesOf(database: Database, { pipelineId, organizationIds }: BuildFilters): Scopes {
  if (pipelineId === undefined) {
    const all = database
      .all('select id from organizations order by seq')
      .map(({ id }) => String(id));
    const ids = [...new Set(organizationIds ?? all)];
    return { column: 'organization_id', ids, organizationIds: ids };
  }
  const found = database.get(
    'select organization_id as id from pipelines where id = ?',
    pipelineId,
  );
  const organizationId = String(found?.id);
  const isOurs = organizationIds?.includes(organizationId) ?? true;
  const column = 'pipeline_id';
  return isOurs
    ? { column, ids: [pipelineId], organizationIds: [organizationId] }
    : { column, ids: [], organizationIds: [] };
}

const placeOf = (database: Database, id: string | null): number | undefined =>
  id === null ? undefined : Number(database.get('select seq from builds where id = ?', id)?.seq);

function row(found: Row | undefined): Row {
  if (found === undefined) throw new Error('a build has gone while a list was read');
  return found;
}
