import type { Build } from '../domain/records.ts';
import {
  allBuilds,
  condition,
  groupsOf,
  hasTimes,
  timeCondition,
  type BuildFilters,
  type Group,
  type Scopes,
} from './build-filters.ts';
import { blockSize, type KnownCounts } from './caches.ts';
import type { Database, Value } from './database.ts';
import { readIds, readNumber, readRecord, type Condition, type Window } from './sql.ts';

export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

export const buildLists = (database: Database, known: KnownCounts) => ({
  /** Returns builds, newest first. A negative limit means no limit. */
  list: (filters: BuildFilters, { offset, limit }: Slice): Build[] =>
    find({ database, known }, filters, { offset, limit: limit < 0 ? Infinity : limit }).map((seq) =>
      readRecord<Build>(rowOf(database, 'data', seq)),
    ),
  /** Returns the IDs of one page. Newest builds come first, unless `fromEnd` is true. */
  window: (filters: BuildFilters, { after, before, limit, fromEnd }: Window): string[] => {
    const below = placeOf(database, after);
    const above = placeOf(database, before);
    return find({ database, known }, filters, { offset: 0, limit, fromEnd, below, above }).map(
      (seq) => String(rowOf(database, 'id', seq).id),
    );
  },
  count: (filters: BuildFilters): number => {
    if (filters.buildId !== undefined) return findOne(database, filters).length;
    const search = searchOf(database, filters);
    if (search.isPlain) return sumOf(database, search.groups);
    return search
      .blocks()
      .reduce(
        (sum, block) =>
          sum + (block.isWhole ? block.n : countIn({ database, known }, search, block)),
        0,
      );
  },
});

const placeOf = (database: Database, id: string | null): number | undefined =>
  id === null ? undefined : Number(database.get('select seq from builds where id = ?', id)?.seq);

function rowOf(database: Database, column: 'id' | 'data', seq: number) {
  const row = database.get(`select ${column} from builds where seq = ?`, seq);
  if (row === undefined) throw new Error('a build was removed while builds were being listed');
  return row;
}

/** The part of a list to read. `above` and `below` are positions (`seq`), exclusive. */
interface Piece extends Slice {
  readonly above?: number | undefined;
  readonly below?: number | undefined;
  /** Whether to read the oldest builds first. */
  readonly fromEnd?: boolean;
}

interface ListSource {
  readonly database: Database;
  readonly known: KnownCounts;
}

/** Finds the positions of builds without reading the builds. */
function find(source: ListSource, filters: BuildFilters, piece: Piece): number[] {
  const { database } = source;
  if (filters.buildId !== undefined) {
    const { above = -1, below = Infinity } = piece;
    return findOne(database, filters)
      .filter((seq) => seq > above && seq < below)
      .slice(piece.offset, piece.offset + piece.limit);
  }
  const search = searchOf(database, filters);
  let { offset } = piece;
  const places: number[] = [];
  for (const block of blocksIn(search, piece)) {
    if (places.length >= piece.limit) break;
    if (knownIn(source, search, block) === 0) continue;
    // Counting is cheaper than reading the builds before the offset.
    const n = block.isWhole || offset === 0 ? block.n : countIn(source, search, block);
    if (offset > 0 && offset >= n) offset -= n;
    else {
      const limit = offset + piece.limit - places.length;
      const found = placesIn(database, search, block, { ...piece, limit });
      places.push(...found.slice(offset));
      offset = Math.max(offset - found.length, 0);
    }
  }
  return places;
}

/** Finds the build that a job token can see, if it matches the filters. */
function findOne(database: Database, filters: BuildFilters): number[] {
  const { where, values } = condition(filters);
  const sql = `select b.seq from builds b where b.id = ? and ${where}`;
  return database.all(sql, filters.buildId ?? null, ...values).map(({ seq }) => Number(seq));
}

interface Search {
  /** Groups of the most selective filter: the one that matches the fewest builds. */
  readonly groups: readonly Group[];
  readonly rest: Condition;
  /** Whether the list has no filters other than `groups`. */
  readonly isPlain: boolean;
  readonly blocks: () => SearchBlock[];
  /** The keys of this list in `KnownCounts`, with and without its time filters. */
  readonly names: { readonly whole: string; readonly timeless: string };
}

/** The builds from position `low` to `high` (inclusive). */
interface Block {
  readonly low: number;
  readonly high: number;
  /** Number of the block's builds that are in the groups. */
  readonly n: number;
  /** Whether all builds that `n` counts match all filters. */
  readonly isWhole: boolean;
}

/** `isTimed` means that all builds in the block match the time filters. */
type SearchBlock = Block & { readonly isTimed: boolean };

/** Reading the row of one build takes as long as reading this many index entries. */
const readPast = 32;

function searchOf(database: Database, filters: BuildFilters): Search {
  const scopes = scopesOf(database, filters);
  const [first = [], ...others] = groupsOf(filters, scopes);
  const times = { createdFrom: 0, createdTo: 0, finishedFrom: 0 };
  const names = {
    whole: JSON.stringify([scopes.ids, filters]),
    timeless: JSON.stringify([scopes.ids, { ...filters, ...times }]),
  };
  if (others.length === 0)
    return {
      groups: first,
      rest: timeCondition(filters),
      isPlain: !hasTimes(filters),
      blocks: () =>
        blocksOf(database, first, filters).map((block) => ({ ...block, isTimed: false })),
      names,
    };
  const sums = [first, ...others].map((groups) => ({ groups, sum: sumOf(database, groups) }));
  const { groups, sum } = sums.reduce((least, one) => (one.sum < least.sum ? one : least));
  const blocks = (): SearchBlock[] =>
    blocksOf(database, groups, filters).map((block) => ({
      ...block,
      isWhole: false,
      isTimed: block.isWhole,
    }));
  const all = allBuilds(scopes);
  const isMany = sum > blockSize && sum * readPast > sumOf(database, all);
  return { groups: isMany ? all : groups, rest: condition(filters), isPlain: false, blocks, names };
}

/** If the pipeline is not in the given organizations, the scope is empty. */
function scopesOf(database: Database, { pipelineId, organizationIds }: BuildFilters): Scopes {
  if (pipelineId === undefined) {
    const all = organizationIds ?? readIds(database, 'select id from organizations order by seq');
    const ids = [...new Set(all)];
    return { column: 'organization_id', ids, organizationIds: ids };
  }
  const [id = ''] = readIds(
    database,
    'select organization_id as id from pipelines where id = ?',
    pipelineId,
  );
  const isVisible = organizationIds?.includes(id) ?? true;
  return {
    column: 'pipeline_id',
    ids: isVisible ? [pipelineId] : [],
    organizationIds: isVisible ? [id] : [],
  };
}

const sumOf = (database: Database, groups: readonly Group[]): number =>
  groups.reduce(
    (sum, { scope, name, value }) =>
      sum +
      readNumber(
        database,
        'select coalesce(sum(n), 0) as n from build_counts where scope = ? and name = ? and value = ?',
        ...[scope, name, value],
      ),
    0,
  );

/** Returns the blocks that may contain builds of the groups in the time range, newest first. */
function blocksOf(
  database: Database,
  groups: readonly Group[],
  {
    createdFrom = Number.MIN_SAFE_INTEGER,
    createdTo = Number.MAX_SAFE_INTEGER,
    finishedFrom,
  }: BuildFilters,
): Block[] {
  const blocks = new Map<number, Block>();
  const times: Value[] = [createdFrom, createdTo, finishedFrom ?? null, finishedFrom ?? null];
  for (const { scope, name, value } of groups)
    for (const row of database.all(blocksSql, ...times, scope, name, value, ...times)) {
      const low = Number(row.block) * blockSize;
      const n = Number(row.n) + (blocks.get(low)?.n ?? 0);
      blocks.set(low, { low, high: low + blockSize - 1, n, isWhole: row.is_whole === 1 });
    }
  return [...blocks.values()].sort((a, b) => b.low - a.low);
}

const blocksSql = `select c.block, c.n, z.created_min >= ? and z.created_max < ?
    and (? is null or (z.unfinished = 0 and z.finished_min >= ?)) as is_whole
  from build_counts c cross join build_zones z on z.block = c.block
  where c.scope = ? and c.name = ? and c.value = ?
    and z.created_max >= ? and z.created_min < ? and (? is null or z.finished_max >= ?)`;

/** A page near the start of a plain list (`isPlain`) is treated as one block, without counts. */
function blocksIn(search: Search, piece: Piece): SearchBlock[] {
  const { above = -1, below = Number.MAX_SAFE_INTEGER, fromEnd = false } = piece;
  const [low, high] = [above + 1, below - 1];
  if (search.isPlain && (piece.offset <= blockSize || piece.limit === Infinity))
    return [{ low, high, n: Infinity, isWhole: true, isTimed: false }];
  const blocks = search
    .blocks()
    .filter((block) => block.low <= high && block.high >= low)
    .map((block) => ({
      ...block,
      low: Math.max(block.low, low),
      high: Math.min(block.high, high),
    }));
  return fromEnd ? blocks.reverse() : blocks;
}

function placesIn(
  database: Database,
  { groups, rest }: Search,
  { low, high }: Block,
  { limit, fromEnd = false }: Piece,
): number[] {
  const order = fromEnd ? 'asc' : 'desc';
  const places = groups.flatMap(({ source, place, values }) => {
    const sql = `select ${place} as seq from ${source} between ? and ? and ${rest.where} order by ${place} ${order} limit ?`;
    const most = limit === Infinity ? -1 : limit;
    return database
      .all(sql, ...values, low, high, ...rest.values, most)
      .map(({ seq }) => Number(seq));
  });
  if (groups.length < 2) return places;
  return places.sort((a, b) => (fromEnd ? a - b : b - a)).slice(0, limit);
}

function countIn(source: ListSource, search: Search, block: SearchBlock): number {
  const known = knownIn(source, search, block);
  if (known !== undefined) return known;
  const { groups, rest } = search;
  const n = groups.reduce((sum, { source: from, values }) => {
    const sql = `select count(*) as n from ${from} between ? and ? and ${rest.where}`;
    const bounds = [block.low, block.high];
    return sum + readNumber(source.database, sql, ...values, ...bounds, ...rest.values);
  }, 0);
  // Not cached during a transaction, because the transaction may still be rolled back.
  if (isWholeBlock(block) && !source.database.isOpen())
    source.known.set(nameOf(search, block), block.low / blockSize, n);
  return n;
}

const knownIn = ({ known }: ListSource, search: Search, block: SearchBlock): number | undefined =>
  isWholeBlock(block) ? known.get(nameOf(search, block), block.low / blockSize) : undefined;

const nameOf = ({ names }: Search, { isTimed }: SearchBlock): string =>
  isTimed ? names.timeless : names.whole;

const isWholeBlock = ({ low, high }: SearchBlock): boolean =>
  low % blockSize === 0 && high - low === blockSize - 1;
