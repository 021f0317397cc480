/** What is known of a column before its width is computed. */
export interface Fitting {
  /** Its preferred width. */
  readonly natural: number;
  /** It may be shortened. */
  readonly flexible?: boolean;
  /** It is shown as wide as it is, even where the table then is too wide. */
  readonly whole?: boolean;
  /** It is never left out: where nothing else gives way it is made shorter than `least`. */
  readonly stays?: boolean | undefined;
  /** A text is not made shorter than this while another column can be left out; default 10. */
  readonly least?: number | undefined;
  /** It is shown only where no other has to give way much for it. */
  readonly isSpare?: boolean | undefined;
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

/** A text has this much before there is room for a spare column. */
const comfortable = 40;

const comfortOf = ({ natural, flexible }: Fitting): number =>
  flexible === true ? Math.min(natural, comfortable) : natural;

const floorOf = ({ natural, flexible, least = 10 }: Fitting): number =>
  flexible === true ? Math.min(natural, least) : natural;

/** What is left of a column that stays, however narrow the table is. */
const leastOfAll = 4;

const isSure = ({ whole, stays }: Fitting): boolean => whole === true || stays === true;

/** Every column that is to be whole, then those that still fit, by priority. */
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

/** Places of columns, the most important first. */
function inOrder(columns: readonly Fitting[]): number[] {
  const rank = (at: number): number => columns[at]?.priority ?? at;
  const whole = (at: number): number => (isSure(columns[at] ?? { natural: 0 }) ? 0 : 1);
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
  const lowest = columns.map(({ stays }, at) =>
    stays === true ? Math.min(leastOfAll, floors[at] ?? 0) : (floors[at] ?? 0),
  );
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  for (; excess > 0; excess -= 1) {
    const at = widestAbove(widths, floors) ?? widestAbove(widths, lowest);
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
