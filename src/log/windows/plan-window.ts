import { linesThatFit } from './lines-that-fit.ts';
import type { LogOutline } from './log-index.ts';
import { blocksOf, type Block, type SectionPart } from './window-blocks.ts';
import type { Lines, WindowOptions } from './window-options.ts';

/** Lines that are shown, or a gap: lines that can be asked for. */
export interface Piece extends Lines {
  readonly kind: 'lines' | 'gap';
}

/** What stands together in a section, or before the first one. */
export interface Part {
  readonly section?: SectionPart;
  readonly pieces: readonly Piece[];
}

/** A range of lines as what is shown of it: in order, and all lines of it in one part or another. */
export function planWindow(outline: LogOutline, options: WindowOptions): Part[] {
  const { range, within } = options;
  const blocks = blocksOf(outline, options);
  const { from, to } = linesThatFit(blocks, options);
  const before = gap(range.from, from);
  const behind = gap(to, range.to);
  const parts = blocks.flatMap((block) => partOf(block, { from, to }));
  if (within === undefined) return [...alone(before), ...parts, ...alone(behind)];
  return [{ pieces: [...before, ...parts.flatMap(({ pieces }) => pieces), ...behind] }];
}

function partOf(block: Block, window: Lines): Part[] {
  const from = Math.max(block.from, window.from);
  const to = Math.min(block.to, window.to);
  if (from >= to) return [];
  const { section, isFolded } = block;
  if (section === undefined) return [{ pieces: [{ kind: 'lines', from, to }] }];
  const hasHeader = from === section.line;
  const body = { from: hasHeader ? from + 1 : from, to };
  const kind = isFolded ? 'gap' : 'lines';
  const pieces = body.from < body.to ? [{ kind, ...body } as const] : [];
  return [{ section: { ...section, hasHeader }, pieces }];
}

const gap = (from: number, to: number): Piece[] => (from < to ? [{ kind: 'gap', from, to }] : []);

const alone = (pieces: readonly Piece[]): Part[] => (pieces.length === 0 ? [] : [{ pieces }]);
