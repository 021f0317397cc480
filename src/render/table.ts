import { tellCell, type Telling } from './cells.ts';
import { fitWidths } from './fit.ts';
import { drawGrid, type Place } from './grid.ts';
import { isMissing, type Cell, type Field } from './value.ts';
import { shorten, widthWithin } from './width.ts';

/**
 * A table of elements, fitted to `width` columns: long texts are shortened with an ellipsis, and
 * columns that find no room are left out from the right. Ends with a newline.
 */
export function drawTable(
  fields: readonly Field[],
  elements: readonly object[],
  telling: Telling & { readonly width: number },
): string {
  const cells = elements.map((element) => fields.map((field) => field.read(element)));
  const head = fields.map(({ heading }) => ({ text: heading, paint: telling.colors.bold }));
  const rows = [head, ...cells.map((row) => row.map((cell) => tellCell(cell, telling)))];
  const natural = fields.map((_, at) => widest(rows, at, telling.width));
  const flexible = fields.map((_, at) => cells.some((row) => isFreeText(row[at])));
  return drawGrid(shortenRows(rows, fitWidths(natural, flexible, telling.width, 2)));
}

const widest = (rows: readonly (readonly Place[])[], at: number, limit: number): number =>
  rows.reduce((width, row) => Math.max(width, widthWithin(row[at]?.text ?? '', limit)), 0);

/** A text that may lose its end. A number, an id or an address without its end would mislead. */
function isFreeText(cell: Cell | undefined): boolean {
  if (cell === undefined || isMissing(cell.value) || rigid.has(cell.kind)) return false;
  return typeof cell.value !== 'string' || !uuid.test(cell.value);
}

const rigid = new Set(['integer', 'boolean', 'state', 'time', 'url']);
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const shortenRows = (rows: readonly Place[][], widths: readonly number[]): Place[][] =>
  rows.map((row) =>
    row
      .slice(0, widths.length)
      .map((place, at) => ({ ...place, text: shorten(place.text, widths[at] ?? 0) })),
  );
