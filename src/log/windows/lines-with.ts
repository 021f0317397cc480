import { settle } from '../settle.ts';
import { toText } from '../text.ts';
import type { Segment } from './log-index.ts';

export interface Match {
  readonly line: number;
  readonly text: string;
}

/** The lines of a segment in which the text is, in any case, colours or not. */
export function linesWith(
  text: string,
  { line }: Pick<Segment, 'line'>,
  bytes: Uint8Array,
): Match[] {
  const wanted = lower(text);
  const stage = settle();
  const lines = toText(stage.push(bytes) + stage.end());
  if (!lower(lines).includes(wanted)) return [];
  return lines.split('\n').flatMap((one, index) => {
    return lower(one).includes(wanted) ? [{ line: line + index, text: one }] : [];
  });
}

/** As long as the text, as the script of the page has it: of all characters `İ` alone would have a longer one. */
const lower = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();
