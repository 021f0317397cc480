/** What is known of a column before its width is computed. */
export interface Fitting {
  /** Its preferred width. */
  readonly natural: number;
  /** It may be shortened. */
  readonly flexible?: boolean;
  /** It is shown as wide as it is, even where the table then is too wide. */
  readonly whole?: boolean;
  /** Columns of a larger number are left out first; default: the place. */
  readonly priority?: number | undefined;
}

/**
 * Widths for the columns of a table that is to be at most `width` wide, `gap` between two columns;
 * undefined for a column that finds no room. Flexible columns are shortened first, the widest
 * before the others.
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

/** A text is not made shorter than this while another column can be left out. */
const least = 10;

const floorOf = ({ natural, flexible }: Fitting): number =>
  flexible === true ? Math.min(natural, least) : natural;

/** Every column that is to be whole, then those that still fit, by priority. */
function choose(columns: readonly Fitting[], width: number, gap: number): Set<number> {
  const kept = new Set<number>();
  let used = -gap;
  for (const at of inOrder(columns)) {
    const column = columns[at] ?? { natural: 0 };
    const more = gap + (column.whole === true ? column.natural : floorOf(column));
    if (column.whole !== true && used + more > width) continue;
    kept.add(at);
    used += more;
  }
  return kept;
}

/** Places of columns, the most important first. */
function inOrder(columns: readonly Fitting[]): number[] {
  const rank = (at: number): number => columns[at]?.priority ?? at;
  const whole = (at: number): number => (columns[at]?.whole === true ? 0 : 1);
  return columns
    .map((_, at) => at)
    .sort((one, other) => whole(one) - whole(other) || rank(one) - rank(other));
}

/** Takes from the widest column that may give, again and again, until all fit. */
function shrink(columns: readonly Fitting[], available: number): number[] {
  const widths = columns.map(({ natural }) => natural);
  const floors = columns.map((column) =>
    column.whole === true ? column.natural : floorOf(column),
  );
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  for (; excess > 0; excess -= 1) {
    const at = widestAbove(widths, floors);
    if (at === undefined) break;
    widths[at] = (widths[at] ?? 0) - 1;
  }
  // One column alone, and no reference: what there is room for.
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
