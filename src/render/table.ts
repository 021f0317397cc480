import { formatCell, type CellOptions } from './format-cell.ts';
import { fitWidths, type Fitting } from './fit.ts';
import { drawGrid, type GridCell } from './grid.ts';
import { isMissing, type Cell, type Field } from './cell.ts';
import { shorten, widthWithin } from './width.ts';

export interface TableOptions extends CellOptions {
  /** Columns of the terminal; `Infinity` where there is no limit. */
  readonly width: number;
  /** Show columns without any value too, as `--fields` names them. Default false. */
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
  return drawGrid(rowsOf(shown, fitWidths(shown, options.width, 2)));
}

interface Column extends Fitting {
  /** The heading first. */
  readonly cells: readonly GridCell[];
  readonly isEmpty: boolean;
}

function columnOf(
  field: Field,
  at: number,
  elements: readonly object[],
  { width, ...cellOptions }: TableOptions,
): Column {
  const cells = elements.map((element) => field.read(element));
  const formatted = cells.map((cell) => formatCell(cell, cellOptions));
  const places = [{ text: field.heading, paint: cellOptions.colors.bold }, ...formatted];
  const whole = field.isReference === true;
  return {
    cells: places,
    isEmpty: formatted.every(({ text }) => text === ''),
    natural: widest(places, whole ? Infinity : width),
    flexible: cells.some(isFreeText),
    whole,
    priority: field.priority ?? at,
  };
}

const widest = (cells: readonly GridCell[], limit: number): number =>
  cells.reduce((width, { text }) => Math.max(width, widthWithin(text, limit)), 0);

/** A text that may lose its end. A number, an id or an address without its end would mislead. */
function isFreeText(cell: Cell): boolean {
  if (isMissing(cell.value) || neverShortened.has(cell.kind)) return false;
  return typeof cell.value !== 'string' || !uuid.test(cell.value);
}

const neverShortened = new Set(['integer', 'boolean', 'state', 'time', 'url']);
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Columns with a width, as rows. */
function rowsOf(columns: readonly Column[], widths: readonly (number | undefined)[]): GridCell[][] {
  const kept = columns.flatMap(({ cells }, at) => {
    const width = widths[at];
    if (width === undefined) return [];
    return [cells.map((cell) => ({ ...cell, text: shorten(cell.text, width) }))];
  });
  return (kept[0] ?? []).map((_, row) => kept.map((cells) => cells[row] ?? { text: '' }));
}
