import type { LogOutline, Section } from './log-index.ts';
import { isHookAfter, isUpload } from './sections.ts';

/** A range of lines that is either shown or left as a gap that can be requested. */
export interface Piece extends Lines {
  readonly kind: 'lines' | 'gap';
}

export interface Part {
  readonly section?: SectionPart;
  readonly pieces: readonly Piece[];
}

/** Shows the lines near the anchor. The other lines become gaps. */
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

export interface SectionPart extends Section {
  /** Whether the range includes the section's header. The pieces never include it. */
  readonly hasHeader: boolean;
  readonly isOpen: boolean;
  /** Milliseconds to the next section; undefined if the log does not contain the times. */
  readonly took: number | undefined;
}

interface Block extends Lines {
  readonly section: SectionPart | undefined;
  /** Whether the body becomes a gap, because it is long and the section is closed */
  readonly isFolded: boolean;
}

/** Bodies of closed sections are included in the page up to this many lines. */
const longestAtHand = 100;

function blocksOf(outline: LogOutline, options: WindowOptions): Block[] {
  const { range, opensLast } = options;
  const isOpen = openSections(outline, opensLast);
  const starts = [{ line: 1 }, ...outline.sections];
  const blocks = starts.map((start, index): Block => {
    const end = starts[index + 1]?.line ?? outline.lines + 1;
    const lines = { from: Math.max(start.line, range.from), to: Math.min(end, range.to) };
    if (!('name' in start)) return { ...lines, section: undefined, isFolded: false };
    const section = {
      ...start,
      hasHeader: start.line >= range.from,
      isOpen: isOpen(index - 1) || isAskedFor({ from: start.line, to: end }, options),
      took: tookOf(outline, index - 1),
    };
    return { ...lines, section, isFolded: !section.isOpen && end - start.line > longestAtHand };
  });
  return blocks.filter(({ from, to }) => from < to);
}

/** If lines inside a section are requested, the user has opened the section. */
function isAskedFor({ from, to }: Lines, { anchor, within }: WindowOptions): boolean {
  const isInside = anchor.line > from + (anchor.side === 'before' ? 1 : 0) && anchor.line < to;
  return isInside || from === within;
}

/** Falls back to the last section if no section should be open. */
function openSections({ sections }: LogOutline, opensLast: boolean): (index: number) => boolean {
  const says = ({ marker, isOpened }: Section): boolean => marker === '+++' || isOpened;
  const isLast = lastSections(sections);
  const shows = opensLast || !sections.some(says);
  return (index) => {
    const section = sections[index];
    return section !== undefined && (says(section) || (shows && isLast(section, index)));
  };
}

/** Selects the command's section and later ones except uploads; without any, the last section. */
function lastSections(sections: readonly Section[]): (section: Section, index: number) => boolean {
  const hook = sections.findIndex(isHookAfter);
  const before = hook < 0 ? sections : sections.slice(0, hook);
  const own = before.findLastIndex((section) => !isUpload(section));
  if (own < 0) return (_, index) => index === sections.length - 1;
  return (section, index) => index >= own && !isUpload(section);
}

function tookOf({ sections, lastTime }: LogOutline, index: number): number | undefined {
  const began = sections[index]?.time;
  const ended = index + 1 < sections.length ? sections[index + 1]?.time : lastTime;
  return began === undefined || ended === undefined ? undefined : ended - began;
}

/** The lines that fit around the anchor. A folded body is counted as one line. */
function linesThatFit(blocks: readonly Block[], { range, anchor, most }: WindowOptions): Lines {
  const line =
    anchor.side === 'before'
      ? Math.min(Math.max(anchor.line, range.from + 1), range.to)
      : Math.max(Math.min(anchor.line, range.to - 1), range.from);
  const back = { from: 0, before: most, at: Math.floor(most * 0.4) }[anchor.side];
  return { from: reach(blocks.toReversed(), line, -back), to: reach(blocks, line, most - back) };
}

/** The line that is `count` lines after `line`, or before it if `count` is negative. */
function reach(blocks: readonly Block[], line: number, count: number): number {
  let at = line;
  let left = Math.abs(count);
  for (const { from, to, isFolded } of blocks) {
    const inBlock = count < 0 ? at - from : to - at;
    if (left <= 0 || inBlock <= 0) continue;
    at += Math.sign(count) * (isFolded ? inBlock : Math.min(left, inBlock));
    left -= isFolded ? 1 : inBlock;
  }
  return at;
}

/** Lines `from` (inclusive) to `to` (exclusive). */
export interface Lines {
  readonly from: number;
  readonly to: number;
}

/** Which lines are shown if a range does not fit: lines from, before, or around the given line. */
export interface Anchor {
  readonly side: 'from' | 'before' | 'at';
  readonly line: number;
}

export interface WindowOptions {
  readonly range: Lines;
  readonly anchor: Anchor;
  readonly opensLast: boolean;
  /** Header line of the section that contains the whole range and is already open */
  readonly within?: number | undefined;
  readonly most: number;
}
