import Table from 'cli-table3';
import { pieces, widthOf } from './width.ts';

/** A text for one place of a grid, and how it is coloured once the places are aligned. */
export interface GridCell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Rows of places with their columns aligned, two blanks between them, no borders. */
export function drawGrid(rows: readonly (readonly GridCell[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    rows.reduce((width, row) => Math.max(width, widthOf(row[at]?.text ?? '')), 1),
  );
  let drawn = '';
  // The library takes time by the square of the rows.
  for (let at = 0; at < rows.length; at += 100) drawn += drawRows(rows.slice(at, at + 100), widths);
  return drawn;
}

function drawRows(rows: readonly (readonly GridCell[])[], colWidths: number[]): string {
  const mask = createMask();
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };
  const table = new Table({ chars: noBorders, style, colWidths });
  for (const row of rows) {
    table.push(row.map(({ text, paint = unpainted }) => paint(mask.hide(text))));
  }
  const lines = mask.show(table.toString()).split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

const unpainted = (text: string): string => text;
const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

interface Mask {
  hide(text: string): string;
  show(text: string): string;
}

/**
 * The table library measures by an older Unicode than terminals do. What is not one plain
 * character of width one goes through it as stand-ins from a private plane, one a column.
 */
function createMask(): Mask {
  const standIns = new Map<string, string>();
  const hidden: string[] = [];
  const standIn = (character: string): string => {
    const known = standIns.get(character);
    if (known !== undefined) return known;
    const width = widthOf(character);
    if (width === 0) return '';
    if (hidden.length === room) return '?'.repeat(width);
    const made = String.fromCodePoint(first + hidden.push(character)) + filler.repeat(width - 1);
    standIns.set(character, made);
    return made;
  };
  return {
    hide: (text) => (isPlain(text) ? text : hideEach(text, standIn)),
    show: (text) => text.replace(masked, (unit) => hidden[indexOf(unit)] ?? ''),
  };
}

const hideEach = (text: string, standIn: (character: string) => string): string =>
  Array.from(pieces(text), (piece) => (isPlain(piece) ? piece : standIn(piece))).join('');

const first = 0x100000;
const room = 0xfffd;
const filler = '\u{100000}';
const masked = /[\u{100000}-\u{10FFFD}]/gu;
const indexOf = (unit: string): number => (unit.codePointAt(0) ?? 0) - first - 1;
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);
