import { settle } from '../log/settle.ts';
import { toText } from '../log/text.ts';
import { sectionsOf, type Section } from './sections.ts';
import type { Tail } from './tail.ts';

/** The end of the part of a log in which its job failed. */
export interface Excerpt {
  /** The section that failed; null where the log has none. */
  readonly section: string | null;
  /** Printable text without newlines. */
  readonly lines: readonly string[];
  /** Lines of the same part before these; null where only the end of the log was read. */
  readonly omitted: number | null;
}

/**
 * The last `count` lines that the command itself has printed, up to the end of the section that
 * failed; hooks round it are left out, unless it was one of them that failed.
 */
export function excerptOf({ bytes, isCut }: Tail, count: number): Excerpt {
  const sections = sectionsOf(settled(isCut ? withoutTornLine(bytes) : bytes));
  const failed = failedSection(sections);
  if (failed === undefined) return { section: null, lines: [], omitted: isCut ? null : 0 };
  const own = sections.slice(0, sections.indexOf(failed) + 1).filter(({ part }) => part === 'own');
  const part = failed.part === 'own' ? own : [failed];
  const lines = part.flatMap((section) => section.lines).map(plainLine);
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1;
  const start = Math.max(0, end - count);
  // Where the section's header was read, all of it was, but not what came before it.
  const isWhole = !isCut || (failed.part !== 'own' && failed.name !== null);
  return {
    section: failed.name,
    lines: lines.slice(start, end),
    omitted: isWhole ? start : null,
  };
}

function settled(bytes: Uint8Array): string {
  const stage = settle();
  return stage.push(bytes) + stage.end();
}

/** A range begins anywhere: in the middle of a line, of a character, of an escape sequence. */
function withoutTornLine(bytes: Uint8Array): Uint8Array {
  const newline = bytes.indexOf(0x0a);
  return newline < 0 || newline === bytes.length - 1 ? bytes : bytes.subarray(newline + 1);
}

const plainLine = (line: string): string => toText(line).replace(/\n$/, '');

/**
 * The last section that says itself that it failed, the command's before all others; else the last
 * of the command's that holds anything; else, as where a hook kept the command from running, the
 * last before it.
 */
function failedSection(sections: readonly Section[]): Section | undefined {
  const last = (part: string, test: (section: Section) => boolean): Section | undefined =>
    sections.findLast((section) => section.part === part && test(section));
  return (
    last('own', isFlagged) ??
    last('after', isFlagged) ??
    last('own', holdsText) ??
    last('before', isFlagged) ??
    last('before', holdsText) ??
    last('after', holdsText)
  );
}

const isFlagged = ({ flagged }: Section): boolean => flagged;

const holdsText = ({ lines }: Section): boolean => lines.some((line) => line.trim() !== '');
