export interface Fitting {
  /** Preferred width. */
  readonly natural: number;
  /** It may be truncated. */
  readonly flexible?: boolean;
  /** Never truncated or omitted, even if the table becomes too wide. */
  readonly whole?: boolean;
  /** Never omitted; if necessary it becomes shorter than `least`. */
  readonly stays?: boolean | undefined;
  /** Minimum width while another column can be omitted; default 10. */
  readonly least?: number | undefined;
  /** Only shown if other columns do not have to give way much. */
  readonly isSpare?: boolean | undefined;
  /** Larger numbers are omitted first; default: the index. */
  readonly priority?: number | undefined;
}

/**
 * Computes the widths of columns for a table of `width` columns, with `gap` between two; undefined
 * for omitted ones. Flexible columns are truncated first, the widest before the others.
 */
export function fitWidths(
  columns: readonly Fitting[],
  width: number,
  gap: number,
): (number | undefined)[] {
  const kept = choose(columns, width, gap);
  const [first] = inOrder(columns);
  if (kept.size === 0 && first !== undefined) kept.add(first);
  const chosen = columns.map((_, at) => at).filter((at) => kept.has(at));
  const available = Math.max(0, width - gap * (chosen.length - 1));
  const widths = shrink(
    chosen.map((at) => columns[at] ?? { natural: 0 }),
    available,
  );
  return columns.map((_, at) => (kept.has(at) ? widths[chosen.indexOf(at)] : undefined));
}

/** Columns of text that have precedence over a spare column. */
const comfortable = 40;

const comfortOf = ({ natural, flexible }: Fitting): number =>
  flexible === true ? Math.min(natural, comfortable) : natural;

const floorOf = ({ natural, flexible, least = 10 }: Fitting): number =>
  flexible === true ? Math.min(natural, least) : natural;

/** Minimum width of a column that stays. */
const leastOfAll = 4;

const isSure = ({ whole, stays }: Fitting): boolean => whole === true || stays === true;

/** Chooses all required columns, then those that fit, by priority. */
function choose(columns: readonly Fitting[], width: number, gap: number): Set<number> {
  const kept = new Set<number>();
  let used = -gap;
  let comfort = -gap;
  for (const at of inOrder(columns)) {
    const column = columns[at] ?? { natural: 0 };
    comfort += gap + comfortOf(column);
    if (column.isSpare === true && comfort > width) continue;
    const more = gap + (column.whole === true ? column.natural : floorOf(column));
    if (!isSure(column) && used + more > width) continue;
    kept.add(at);
    used += more;
  }
  return kept;
}

function inOrder(columns: readonly Fitting[]): number[] {
  const rank = (at: number): number => columns[at]?.priority ?? at;
  const whole = (at: number): number => (isSure(columns[at] ?? { natural: 0 }) ? 0 : 1);
  return columns
    .map((_, at) => at)
    .sort((one, other) => whole(one) - whole(other) || rank(one) - rank(other));
}

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
  // A single column that is not a reference takes the available width.
  if (columns.length === 1 && columns[0]?.whole !== true && excess > 0) return [available];
  return widths;
}

function widestAbove(widths: readonly number[], floors: readonly number[]): number | undefined {
  let found: number | undefined;
  widths.forEach((width, at) => {
    if (width > (floors[at] ?? 0) && width > (found === undefined ? 0 : (widths[found] ?? 0)))
      found = at;
  });
  return found;
}
