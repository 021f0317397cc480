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
  readonly name: string | null;
  readonly part: Part;
  /** Whether the section has a `^^^ +++` line, which agents and scripts print on failure */
  readonly flagged: boolean;
  /** Whether the section's header starts with `+++` */
  readonly isOpen: boolean;
  /** Includes the header. `bytes` is a byte string with the newline */
  readonly lines: readonly { readonly at: number; readonly bytes: string }[];
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

function split(log: string) {
  const sections = [newSection(undefined)];
  const lines = [...eachLine(log)];
  for (const [index, bytes] of lines.entries()) {
    const header = isReported(lines, index) ? undefined : readHeader(bytes);
    if (header !== undefined) sections.push(newSection(header));
    const section = sections.at(-1);
    if (section === undefined) continue;
    if (opensSection(bytes)) section.flagged = true;
    else section.lines.push({ at: index + 1, bytes });
  }
  return sections;
}

const newSection = (header: Header | undefined) => ({
  header,
  lines: [] as { at: number; bytes: string }[],
  flagged: false,
});

/**
 * The output of agents is recognized by the names of sections. Hooks after the command may print
 * any section. Hooks before it may too, if the agent prints a header when the command starts.
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

/** The failed section (undefined if the log is empty), and the sections that may say why. */
export function failedPart(sections: readonly Section[]): {
  readonly failed: Section | undefined;
  readonly part: readonly Section[];
} {
  const failed = failedSection(sections);
  if (failed?.part !== 'own') return { failed, part: failed === undefined ? [] : [failed] };
  const upTo = sections.slice(0, sections.indexOf(failed) + 1);
  return { failed, part: upTo.filter(({ part }) => part === 'own') };
}

/** The last flagged section, preferably the command's; otherwise the last non-empty section. */
function failedSection(sections: readonly Section[]): Section | undefined {
  const last = (wanted: Part, test: (section: Section) => boolean): Section | undefined =>
    sections.findLast((section) => section.part === wanted && test(section));
  const isFlagged = ({ flagged }: Section): boolean => flagged;
  const hasText = ({ lines }: Section): boolean => lines.some(({ bytes }) => bytes.trim() !== '');
  return (
    last('own', isFlagged) ??
    last('after', isFlagged) ??
    last('own', hasText) ??
    last('before', isFlagged) ??
    last('before', hasText) ??
    last('after', hasText)
  );
}

export interface LogLine {
  readonly at: number;
  readonly text: string;
  readonly isRed: boolean;
  readonly section: string | null;
  readonly isOpen: boolean;
}

export const logLines = ({ name, isOpen, lines }: Section): LogLine[] =>
  lines.map(({ at, bytes }) => ({
    ...{ at, text: visible(bytes), isRed: isRed(bytes) },
    ...{ section: name, isOpen },
  }));

const isRed = (bytes: string): boolean =>
  bytes.includes('\x1b') &&
  /\x1b\[(?:[\d;]*;)?(?:31|91|41|101|38;5;(?:1|9|160|196|203))(?:;[\d;]*)?m[^\x1b\n]*[^\x1b\s]/.test(
    bytes,
  );

/**
 * Whether a line only looks like a header: a result of `go test` (such as `--- FAIL: TestCart
 * (0.00s)`) or the file names of a diff.
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
