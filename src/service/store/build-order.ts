/** Builds of a list by their place in the order of all: pieces and counts, without reading a build. */
import { blocksOf, blockSize, sumOf, type Block } from './build-blocks.ts';
import { condition, hasTimes, timeCondition, type BuildFilters } from './build-filters.ts';
import { factsOf, groupsOf, type Group, type Scopes } from './build-groups.ts';
import type { Database } from './database.ts';
import type { KnownCounts } from './known-counts.ts';
import type { Condition } from './sql-condition.ts';

/** A piece of a list: of the builds between two others, those after `offset`. */
export interface Piece {
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

export interface ListSource {
  readonly database: Database;
  readonly known: KnownCounts;
}

/** Places of builds, the newest first. */
export function placesOf(
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

export function countOf(source: ListSource, filters: BuildFilters, scopes: Scopes): number {
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
