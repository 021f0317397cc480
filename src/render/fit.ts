export interface Fitting {
  /** Preferred width. */
  readonly natural: number;
  /** Whether the column may be truncated. */
  readonly flexible?: boolean;
  readonly whole?: boolean;
  /** Whether the column is never omitted. It may have to become narrower than `least` */
  readonly stays?: boolean | undefined;
  /** Minimum width while other columns can still be omitted. Defaults to 10 */
  readonly least?: number | undefined;
  /** Whether to show the column only if other columns hardly have to shrink for it */
  readonly isSpare?: boolean | undefined;
  /** Columns with larger numbers are omitted first. Defaults to the index */
  readonly priority?: number | undefined;
}

/**
 * Computes the column widths of a table that is `width` columns wide, with `gap` spaces between two
 * columns. A width is undefined if the column is omitted. Flexible columns are truncated first,
 * starting with the widest.
 */
export function fitWidths(
  columns: readonly Fitting[],
  width: number,
  gap: number,
): (number | undefined)[] {
  const kept = choose(columns, width, gap);
  const [first] = inOrder(columns);
  if (kept.size === 0 && first !== undefined) kept.add(first[0]);
  const available = Math.max(0, width - gap * (kept.size - 1));
  const widths = shrink(
    columns.filter((_, at) => kept.has(at)),
    available,
  );
  return columns.map((_, at) => (kept.has(at) ? widths.shift() : undefined));
}

/** Text columns up to this width take precedence over a spare column. */
const comfortable = 40;

const comfortOf = ({ natural, flexible }: Fitting): number =>
  flexible === true ? Math.min(natural, comfortable) : natural;

const floorOf = ({ natural, flexible, least = 10 }: Fitting): number =>
  flexible === true ? Math.min(natural, least) : natural;

/** Minimum width of a column with `stays`. */
const leastOfAll = 4;

const isSure = ({ whole, stays }: Fitting): boolean => whole === true || stays === true;

/** Chooses all columns that must stay, then adds others by priority while they fit. */
function choose(columns: readonly Fitting[], width: number, gap: number): Set<number> {
  const kept = new Set<number>();
  let used = -gap;
  let comfort = -gap;
  for (const [at, column] of inOrder(columns)) {
    comfort += gap + comfortOf(column);
    if (column.isSpare === true && comfort > width) continue;
    const more = gap + (column.whole === true ? column.natural : floorOf(column));
    if (!isSure(column) && used + more > width) continue;
    kept.add(at);
    used += more;
  }
  return kept;
}

const inOrder = (columns: readonly Fitting[]): [number, Fitting][] =>
  [...columns.entries()].sort(
    ([at, one], [otherAt, other]) =>
      Number(isSure(other)) - Number(isSure(one)) ||
      (one.priority ?? at) - (other.priority ?? otherAt),
  );

/** Repeatedly narrows the widest column. */
function shrink(columns: readonly Fitting[], available: number): number[] {
  const widths = columns.map(({ natural }) => natural);
  const floors = columns.map((column) =>
    column.whole === true ? column.natural : floorOf(column),
  );
  const lowest = columns.map(({ stays }, at) =>
    stays === true ? Math.min(leastOfAll, floors[at] ?? 0) : (floors[at] ?? 0),
  );
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  for (; excess > 0; excess -= 1) {
    const at = widestAbove(widths, floors) ?? widestAbove(widths, lowest);
    if (at === undefined) break;
    widths[at] = (widths[at] ?? 0) - 1;
  }
  // A single column that is not a reference uses all available width.
  if (columns.length === 1 && columns[0]?.whole !== true && excess > 0) return [available];
  return widths;
}

/** The index of the widest column that is wider than its minimum. */
export function widestAbove(
  widths: readonly number[],
  floors: readonly number[],
): number | undefined {
  let [found, most]: [number | undefined, number] = [undefined, 0];
  for (const [at, width] of widths.entries())
    if (width > (floors[at] ?? 0) && width > most) [found, most] = [at, width];
  return found;
}
