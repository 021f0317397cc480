import { isHookAfter, isUpload } from '../after-command.ts';
import type { LogOutline } from './log-index.ts';
import type { Section } from './read-lines.ts';
import type { Lines, WindowOptions } from './window-options.ts';

/** A section as far as a window shows it. */
export interface SectionPart extends Section {
  /** Its header is among the lines, and none of the pieces. */
  readonly hasHeader: boolean;
  readonly isOpen: boolean;
  /** Milliseconds to the next section; undefined where the log does not say. */
  readonly took: number | undefined;
}

/** What is before the first section, or a section, as far as it is in the range. */
export interface Block extends Lines {
  readonly section: SectionPart | undefined;
  /** Its body is a gap: too long for what is not open. */
  readonly isFolded: boolean;
}

/** The body of a section that is not open is at hand, if it is short. */
const longestAtHand = 100;

/** The blocks that have lines in the range, in order. */
export function blocksOf(outline: LogOutline, options: WindowOptions): Block[] {
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

/** Whoever asks for lines inside of a section has opened it. */
function isAskedFor({ from, to }: Lines, { anchor, within }: WindowOptions): boolean {
  const isInside = anchor.line > from + (anchor.side === 'before' ? 1 : 0) && anchor.line < to;
  return isInside || from === within;
}

/** By its place, whether a section is open; where none says so, the last one is, to show something. */
function openSections({ sections }: LogOutline, opensLast: boolean): (index: number) => boolean {
  const says = ({ marker, isOpened }: Section): boolean => marker === '+++' || isOpened;
  const isLast = lastSections(sections);
  const shows = opensLast || !sections.some(says);
  return (index) => {
    const section = sections[index];
    return section !== undefined && (says(section) || (shows && isLast(section, index)));
  };
}

/** The last one, or that of the command with the hooks behind it: uploads are not what one looks for. */
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
