import { visible } from '../log/sections.ts';
import type { Section, SectionLine } from './sections.ts';

/** A line of a log as it is shown, with what is known of it. */
export interface LogLine {
  /** Its number in the whole of what was read, from 1. */
  readonly at: number;
  /** Printable text without a newline. */
  readonly text: string;
  readonly isRed: boolean;
  /** The name of the section that it is in. */
  readonly section: string | null;
  /** That section asks to be open from the beginning. */
  readonly isOpen: boolean;
}

export const toLogLine = (
  { at, bytes }: SectionLine,
  { name, isOpen }: Pick<Section, 'name' | 'isOpen'>,
): LogLine => ({ at, text: visible(bytes), isRed: isRed(bytes), section: name, isOpen });

/** Some of its text is red, or on red. */
const isRed = (bytes: string): boolean =>
  bytes.includes('\x1b') &&
  /\x1b\[(?:[\d;]*;)?(?:31|91|41|101|38;5;(?:1|9|160|196|203))(?:;[\d;]*)?m[^\x1b\n]*[^\x1b\s]/.test(
    bytes,
  );
