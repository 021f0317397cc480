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
  const wanted = text.toLowerCase();
  const stage = settle();
  const lines = toText(stage.push(bytes) + stage.end());
  if (!lines.toLowerCase().includes(wanted)) return [];
  return lines.split('\n').flatMap((one, index) => {
    return one.toLowerCase().includes(wanted) ? [{ line: line + index, text: one }] : [];
  });
}
