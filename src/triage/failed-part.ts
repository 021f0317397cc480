import type { Section } from './sections.ts';

interface FailedPart {
  /** Undefined where a log holds nothing. */
  readonly failed: Section | undefined;
  /** What is read for the reason: of the command all sections up to that one. */
  readonly part: readonly Section[];
}

/**
 * The last section that says itself that it failed, the command's before all others; else the last
 * of the command's that holds anything; else, as where a hook kept the command from running, the
 * last before it.
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
