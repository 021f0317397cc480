/**
 * The sections of a log, and whose they are: the command's, or of what runs before and after it.
 */
import { isHookAfter, isUpload, opensSection, readHeader, type Header } from '../log/sections.ts';
import { eachLine } from '../log/text.ts';
import { isReported } from './reported.ts';

export interface Section {
  /** Null for what comes before the first header. */
  readonly name: string | null;
  readonly part: Part;
  /** It asks to be opened (`^^^ +++`): agents and scripts do so where something failed. */
  readonly flagged: boolean;
  /** The marker says so (`+++`). */
  readonly isOpen: boolean;
  /** The header included. */
  readonly lines: readonly SectionLine[];
}

export interface SectionLine {
  /** Its number among all lines, from 1. */
  readonly at: number;
  /** A byte string with its newline. */
  readonly bytes: string;
}

type Part = 'before' | 'own' | 'after';

/** The sections of settled lines, in order. */
export function sectionsOf(log: string): Section[] {
  const sections = split(log);
  const parts = partsOf(sections.map(({ header }) => header));
  return sections.map(({ header, lines, flagged }, at) => ({
    name: header?.name ?? null,
    isOpen: header?.marker === '+++',
    part: parts[at] ?? 'own',
    flagged,
    lines,
  }));
}

interface Split {
  readonly header: Header | undefined;
  readonly lines: SectionLine[];
  flagged: boolean;
}

function split(log: string): Split[] {
  let section: Split = { header: undefined, lines: [], flagged: false };
  const sections = [section];
  const lines = [...eachLine(log)];
  for (const [index, bytes] of lines.entries()) {
    const header = isReported(lines, index) ? undefined : readHeader(bytes);
    if (header !== undefined) {
      section = { header, lines: [], flagged: false };
      sections.push(section);
    }
    if (opensSection(bytes)) section.flagged = true;
    else section.lines.push({ at: index + 1, bytes });
  }
  return sections;
}

/**
 * What agents print round the command goes by the names of their sections. Hooks after the command
 * may print sections of any name, and so may hooks before it where the agent says when the command
 * begins; all else is the command's.
 */
function partsOf(headers: readonly (Header | undefined)[]): Part[] {
  const begin = headers.findIndex((header) => header !== undefined && isBegin(header));
  let over = false;
  return headers.map((header, at) => {
    if (at < begin) return 'before';
    if (header === undefined || at === begin) return 'own';
    over ||= isHookAfter(header);
    if (over || isUpload(header)) return 'after';
    return isPreparation(header) ? 'before' : 'own';
  });
}

const isBegin = ({ marker, name }: Header): boolean =>
  marker === '~~~' &&
  /^Running (?:(?:batch |shell )?(?:commands?|scripts?)\b|.+ command hook\b)/i.test(name);

const hookBefore =
  /^Running (?:.+ )?(?:environment|pre-bootstrap|pre-checkout|checkout|post-checkout|pre-command) hook\b/i;

const isPreparation = ({ marker, name }: Header): boolean =>
  hookBefore.test(name) ||
  (marker === '~~~' &&
    /^(?:Preparing (?:working directory|plugins|secrets)|Setting up plugins)\b/i.test(name));
