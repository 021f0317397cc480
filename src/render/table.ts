import { formatCell, type CellOptions } from './cells.ts';
import { fitWidths, type Fitting } from './fit.ts';
import { drawGrid, type GridCell } from './grid.ts';
import { isMissing, type Cell, type Field } from './value.ts';
import { shorten, widthWithin } from './width.ts';

export interface TableOptions extends CellOptions {
  /** Columns of the terminal; `Infinity` where there is no limit. */
  readonly width: number;
  /** Columns without any value are shown too: they were asked for. Default false. */
  readonly keepsEmpty?: boolean;
}

/**
 * A table of elements, fitted to `width` columns: long texts are shortened with an ellipsis, and
 * columns that find no room are left out by their priority. What other commands take to name an
 * element stands whole, even where the table then is too wide. Ends with a newline.
 */
export function drawTable(
  fields: readonly Field[],
  elements: readonly object[],
  options: TableOptions,
): string {
  const columns = fields.map((field, at) => columnOf(field, at, elements, options));
  const filled = columns.filter(({ isEmpty }) => !isEmpty);
  const shown = options.keepsEmpty === true || filled.length === 0 ? columns : filled;
  return drawGrid(placesOf(shown, fitWidths(shown, options.width, 2)));
}

interface Column extends Fitting {
  /** The heading first. */
  readonly places: readonly GridCell[];
  readonly isEmpty: boolean;
}

function columnOf(
  field: Field,
  at: number,
  elements: readonly object[],
  { width, ...telling }: TableOptions,
): Column {
  const cells = elements.map((element) => field.read(element));
  const told = cells.map((cell) => formatCell(cell, telling));
  const places = [{ text: field.heading, paint: telling.colors.bold }, ...told];
  const whole = field.isReference === true;
  return {
    places,
    isEmpty: told.every(({ text }) => text === ''),
    natural: widest(places, whole ? Infinity : width),
    flexible: cells.some(isFreeText),
    whole,
    priority: field.priority ?? at,
  };
}

const widest = (places: readonly GridCell[], limit: number): number =>
  places.reduce((width, { text }) => Math.max(width, widthWithin(text, limit)), 0);

/** A text that may lose its end. A number, an id or an address without its end would mislead. */
function isFreeText(cell: Cell): boolean {
  if (isMissing(cell.value) || rigid.has(cell.kind)) return false;
  return typeof cell.value !== 'string' || !uuid.test(cell.value);
}

const rigid = new Set(['integer', 'boolean', 'state', 'time', 'url']);
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Columns with a width, as rows. */
function placesOf(
  columns: readonly Column[],
  widths: readonly (number | undefined)[],
): GridCell[][] {
  const kept = columns.flatMap(({ places }, at) => {
    const width = widths[at];
    if (width === undefined) return [];
    return [places.map((place) => ({ ...place, text: shorten(place.text, width) }))];
  });
  return (kept[0] ?? []).map((_, row) => kept.map((places) => places[row] ?? { text: '' }));
}
