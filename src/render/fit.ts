/**
 * Widths for the columns of a table that is to be at most `width` wide, `gap` between two columns.
 * Flexible columns are shortened first, the widest before the others. Where that is not enough
 * there are fewer widths than columns: the columns that remain at the right find no room.
 */
export function fitWidths(
  natural: readonly number[],
  flexible: readonly boolean[],
  width: number,
  gap: number,
): number[] {
  const floors = natural.map((own, at) => (flexible[at] === true ? Math.min(own, least) : own));
  const count =
    natural.findLastIndex((_, last) => total(floors.slice(0, last + 1), gap) <= width) + 1;
  if (count === 0) return [Math.min(natural[0] ?? 0, width)];
  return shrink(natural.slice(0, count), floors, width - gap * (count - 1));
}

/** A text is not made shorter than this while a column at the right can be left out. */
const least = 10;

const total = (widths: readonly number[], gap: number): number =>
  widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));

/** Takes from the widest column, again and again, until all fit. */
function shrink(widths: readonly number[], floors: readonly number[], available: number): number[] {
  const result = [...widths];
  for (let excess = total(result, 0) - available; excess > 0; excess -= 1) {
    const at = widestAbove(result, floors);
    result[at] = (result[at] ?? 0) - 1;
  }
  return result;
}

function widestAbove(widths: readonly number[], floors: readonly number[]): number {
  let found = 0;
  widths.forEach((width, at) => {
    const wider = width > (widths[found] ?? 0) || (widths[found] ?? 0) <= (floors[found] ?? 0);
    if (width > (floors[at] ?? 0) && wider) found = at;
  });
  return found;
}
