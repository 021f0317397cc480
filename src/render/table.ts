import { formatCell, isAtEnd, type CellOptions } from './format-cell.ts';
import { fitWidths, type Fitting } from './fit.ts';
import { drawGrid, type GridCell } from './grid.ts';
import { isMissing, type Cell, type Field } from './cell.ts';
import { shortenStart } from './shorten-start.ts';
import { shorten, widthOf, widthWithin } from './width.ts';

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
  const all = options.keepsEmpty === true || filled.length === 0 ? columns : filled;
  const shown =
    options.width < 100 && isTooWide(all, options.width) ? all.map(withFirstWords) : all;
  return drawGrid(rowsOf(shown, fitWidths(shown, options.width, gap)));
}

/** Blanks between two columns. */
const gap = 2;

const isTooWide = (columns: readonly Column[], width: number): boolean =>
  columns.reduce((sum, { natural }) => sum + natural + gap, -gap) > width;

interface Column extends Fitting, Pick<Field, 'keeps' | 'firstWord'> {
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
  const atEnd = cells.some(({ kind }) => isAtEnd(kind));
  const heading = { text: field.heading, paint: cellOptions.colors.bold };
  const places = [heading, ...formatted].map((cell) => ({ ...cell, isAtEnd: atEnd }));
  const whole = field.isReference === true;
  const { keeps, stays, least, isSpare, firstWord } = field;
  return {
    ...(keeps && { keeps }),
    ...{ stays, least, isSpare, firstWord: firstWord === true },
    cells: places,
    isEmpty: formatted.every(({ text }) => text === ''),
    natural: widest(places, whole ? Infinity : width),
    flexible: stays === true || cells.some(isFreeText),
    whole,
    priority: field.priority ?? at,
  };
}

/** Of each cell the first word, as of the name of a person. */
function withFirstWords(column: Column): Column {
  if (column.firstWord !== true) return column;
  const cells = column.cells.map((cell) => ({ ...cell, text: cell.text.split(' ', 1)[0] ?? '' }));
  return { ...column, cells, natural: widest(cells, column.natural) };
}

const widest = (cells: readonly GridCell[], limit: number): number =>
  cells.reduce((width, cell) => Math.max(width, widthWithin(wholeText(cell), limit)), 0);

const wholeText = ({ text, tail }: GridCell): string =>
  tail === undefined ? text : `${text} ${tail}`;

/** A text that may lose its end. A number, an id or an address without its end would mislead. */
function isFreeText(cell: Cell): boolean {
  if (isMissing(cell.value) || neverShortened.has(cell.kind)) return false;
  return typeof cell.value !== 'string' || !uuid.test(cell.value);
}

const neverShortened = new Set<Cell['kind']>([
  'integer',
  'boolean',
  'state',
  'glyph',
  'words',
  'time',
  'took',
  'age',
  'url',
]);
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Columns with a width, as rows. */
function rowsOf(columns: readonly Column[], widths: readonly (number | undefined)[]): GridCell[][] {
  const kept = columns.flatMap(({ cells, keeps }, at) => {
    const width = widths[at];
    if (width === undefined) return [];
    return [cells.map((cell) => ({ ...cell, text: shortened(cell, width, keeps) }))];
  });
  return (kept[0] ?? []).map((_, row) => kept.map((cells) => cells[row] ?? { text: '' }));
}

function shortened(cell: GridCell, width: number, keeps: Field['keeps']): string {
  if (cell.tail !== undefined && widthWithin(wholeText(cell), width + 1) > width) {
    const left = width - widthOf(cell.tail) - 1;
    if (left >= 2) return `${shorten(cell.text, left)} ${cell.tail}`;
  }
  return keeps === 'end' ? shortenStart(cell.text, width) : shorten(wholeText(cell), width);
}
