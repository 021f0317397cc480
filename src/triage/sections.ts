import {
  isHookAfter,
  isUpload,
  opensSection,
  readHeader,
  type Header,
  visible,
} from '../log/sections.ts';
import { eachLine } from '../log/text.ts';

interface Section {
  /** Null before the first header. */
  readonly name: string | null;
  readonly part: Part;
  /** It asks to be opened (`^^^ +++`): agents and scripts do this when something fails. */
  readonly flagged: boolean;
  /** The marker is `+++`. */
  readonly isOpen: boolean;
  /** Includes the header, except `^^^ +++` lines. */
  readonly lines: readonly SectionLine[];
}

interface SectionLine {
  /** Line number in the whole text, from 1. */
  readonly at: number;
  /** A byte string with its newline. */
  readonly bytes: string;
}

type Part = 'before' | 'own' | 'after';

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
 * Agents' own output is recognized by section names. Hooks after the command may print sections
 * with any name, and so may hooks before it if the agent says when the command starts. Everything
 * else belongs to the command.
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

interface FailedPart {
  /** Undefined if the log is empty. */
  readonly failed: Section | undefined;
  /**
   * The sections to search for the reason; for the command, all its sections up to the failed one.
   */
  readonly part: readonly Section[];
}

/**
 * The last flagged section, the command's first; otherwise the command's last section that is not
 * empty; otherwise (for instance, if a hook prevented the command) the last one before the command.
 */
export function failedPart(sections: readonly Section[]): FailedPart {
  const failed = failedSection(sections);
  if (failed === undefined) return { failed, part: [] };
  if (failed.part !== 'own') return { failed, part: [failed] };
  const upTo = sections.slice(0, sections.indexOf(failed) + 1);
  return { failed, part: upTo.filter(({ part }) => part === 'own') };
}

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

const holdsText = ({ lines }: Section): boolean => lines.some(({ bytes }) => bytes.trim() !== '');

export interface LogLine {
  /** Line number in the text that was read, from 1. */
  readonly at: number;
  /** Printable text without a newline. */
  readonly text: string;
  readonly isRed: boolean;
  readonly section: string | null;
  /** The section's marker is `+++`. */
  readonly isOpen: boolean;
}

export const toLogLine = (
  { at, bytes }: SectionLine,
  { name, isOpen }: Pick<Section, 'name' | 'isOpen'>,
): LogLine => ({ at, text: visible(bytes), isRed: isRed(bytes), section: name, isOpen });

/** Whether some of its text is red, or on red. */
const isRed = (bytes: string): boolean =>
  bytes.includes('\x1b') &&
  /\x1b\[(?:[\d;]*;)?(?:31|91|41|101|38;5;(?:1|9|160|196|203))(?:;[\d;]*)?m[^\x1b\n]*[^\x1b\s]/.test(
    bytes,
  );

/**
 * Whether a line only looks like a section header and belongs to the output of a tool: a result of
 * `go test` (`--- FAIL: TestCart (0.00s)`) or the file names of a diff.
 */
function isReported(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (!/[-+]{3}[ \t]/.test(line.slice(0, 80))) return false;
  if (/^--- (?:FAIL|PASS|SKIP|BENCH): \S/.test(visible(line))) return true;
  return isPair(lines, at) || isPair(lines, at - 1);
}

const isPair = (lines: readonly string[], at: number): boolean =>
  [/^--- \S/, /^\+\+\+ \S/, /^@@ /].every((pattern, after) =>
    pattern.test(visible(lines[at + after] ?? '')),
  );
