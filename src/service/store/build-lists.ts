/** Lists of builds, and how many there are. */
import type { QueueCount } from '../domain/metrics.ts';
import type { Build } from '../domain/records.ts';
import {
  condition,
  type BuildFilters,
  type Scopes,
  hasTimes,
  timeCondition,
  factsOf,
  groupsOf,
  type Group,
} from './build-filters.ts';
import type { Database, Row } from './database.ts';
import { type KnownCounts, blocksOf, blockSize, sumOf, type Block } from './caches.ts';
import { pipelineCounts, queueCounts, type PipelineCounts } from './tables/jobs.ts';
import { readRecord, type Window, type Condition } from './sql.ts';

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

// Builds of a list by their place in the order of all: pieces and counts, without reading a build.

/** A piece of a list: of the builds between two others, those after `offset`. */
interface Piece {
  readonly offset: number;
  readonly limit: number;
  /** Places of builds that the piece lies between, without them. */
  readonly above?: number | undefined;
  readonly below?: number | undefined;
  /** The oldest first. */
  readonly fromEnd?: boolean;
}

interface Search {
  /** Of all that a build has to be in one of, those that the fewest are in. */
  readonly groups: readonly Group[];
  /** What else has to hold. */
  readonly rest: Condition;
  /** The groups alone say which builds they are. */
  readonly isPlain: boolean;
  readonly blocks: () => SearchBlock[];
  /** The list, and the list without its times, as `KnownCounts` has them. */
  readonly names: { readonly whole: string; readonly timeless: string };
}

/** `isTimed`: all its builds are within the times, so that its count does not depend on them. */
type SearchBlock = Block & { readonly isTimed: boolean };

interface ListSource {
  readonly database: Database;
  readonly known: KnownCounts;
}

/** Places of builds, the newest first. */
function placesOf(
  source: ListSource,
  filters: BuildFilters,
  scopes: Scopes,
  piece: Piece,
): number[] {
  const { database } = source;
  const search = searchOf(database, filters, scopes);
  let { offset } = piece;
  const places: number[] = [];
  for (const block of piecesOf(search, piece)) {
    if (places.length >= piece.limit) break;
    if (knownIn(source, search, block) === 0) continue;
    // Counting is cheaper than reading what is left out.
    const n = block.isWhole || offset === 0 ? block.n : countIn(source, search, block);
    if (offset > 0 && offset >= n) offset -= n;
    else {
      const found = placesIn(database, search, block, {
        ...piece,
        limit: offset + piece.limit - places.length,
      });
      places.push(...found.slice(offset));
      offset = Math.max(offset - found.length, 0);
    }
  }
  return places;
}

function countOf(source: ListSource, filters: BuildFilters, scopes: Scopes): number {
  const { database } = source;
  const search = searchOf(database, filters, scopes);
  if (search.isPlain) return sumOf(database, search.groups);
  return search
    .blocks()
    .reduce((sum, block) => sum + (block.isWhole ? block.n : countIn(source, search, block)), 0);
}

function searchOf(database: Database, filters: BuildFilters, scopes: Scopes): Search {
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
      ...{ ...block, isWhole: false, isTimed: block.isWhole },
    }));
  const facts = factsOf(scopes);
  const isMany = sum > blockSize && sum * readPast > sumOf(database, facts);
  const source = isMany ? facts : groups;
  return { groups: source, rest: condition(filters), isPlain: false, blocks, names };
}

/** To look at the row of a build takes longer than to read past this many in an index. */
const readPast = 32;

/** A page near the head of a plain list needs no counts. */
function piecesOf(search: Search, piece: Piece): SearchBlock[] {
  const { above = -1, below = Number.MAX_SAFE_INTEGER, fromEnd = false } = piece;
  const all = {
    low: above + 1,
    high: below - 1,
    n: Infinity,
    isWhole: search.isPlain,
    isTimed: false,
  };
  if (search.isPlain && (piece.offset <= blockSize || piece.limit === Infinity)) return [all];
  const blocks = search.blocks().filter(({ low, high }) => low <= all.high && high >= all.low);
  const cut = blocks.map((block) => ({
    ...block,
    low: Math.max(block.low, all.low),
    high: Math.min(block.high, all.high),
  }));
  return fromEnd ? cut.reverse() : cut;
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
  const n = readCount(source.database, search, block);
  // What a transaction has written may be undone.
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

const readCount = (database: Database, { groups, rest }: Search, { low, high }: Block): number =>
  groups.reduce((sum, { source, values }) => {
    const sql = `select count(*) as n from ${source} between ? and ? and ${rest.where}`;
    return sum + Number(database.get(sql, ...values, low, high, ...rest.values)?.n);
  }, 0);
