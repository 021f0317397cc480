import type { Cell, Field } from './cell.ts';
import type { PrintContext } from './print-context.ts';
import type { Printer } from './printers.ts';
import { emojisFor } from './shortcodes.ts';
import type { StateMarks } from './state.ts';

/**
 * Widths are known at the end only, so that a table waits for all elements; of each it remembers
 * the cells.
 */
export function tablePrinter(context: PrintContext, fields: readonly Field[]): Printer {
  const rows: Cell[][] = [];
  return {
    add: (element) => void rows.push(fields.map((field) => ownCell(field.read(element)))),
    async end() {
      if (rows.length === 0) return;
      const { drawTable } = await import('./table.ts');
      const emojis = await emojisFor(proseOf(rows.flat()));
      const { colors, clock, stream } = context;
      const keepsEmpty = context.settings.fields !== undefined;
      const cellOptions = { colors, now: clock.now(), width: stream.width, keepsEmpty, emojis };
      await context.write(drawTable(fields.map(readFromRow), rows, cellOptions));
    },
  };
}

const readFromRow = (field: Field, at: number): Field => ({
  ...field,
  read: (row) => (row as Cell[])[at] ?? { kind: 'text', value: null, parent: null },
});

/** Texts that may have shortcodes. */
const proseOf = (cells: readonly Cell[]): string[] =>
  cells.flatMap(({ kind, value }) =>
    kind === 'prose' && typeof value === 'string' ? [value] : [],
  );

/** Of what is around a cell only the marks of a state are read. */
function ownCell({ kind, value, parent, tail }: Cell): Cell {
  if (!['state', 'glyph', 'words'].includes(kind)) return { kind, value, parent: null, tail };
  const { blocked, soft_failed } = (parent ?? {}) as StateMarks;
  return { kind, value, parent: { blocked, soft_failed } };
}
