import { plain, styleAfter } from '../style.ts';
import { lineEnd } from '../text.ts';
import type { SettledLines } from '../html/window-lines.ts';
import { styleOf, type Segment } from './log-index.ts';
import type { Lines } from './window-options.ts';
import { settleSegment } from './settle-segment.ts';

/** Those of the lines that are in a segment, whose bytes are given. */
export function linesOfSegment(
  segment: Segment,
  bytes: Uint8Array,
  { from, to }: Lines,
): SettledLines {
  const { lines } = settleSegment(bytes, { ...segment, before: styleOf(segment.sgr) });
  const first = Math.max(from, segment.line);
  const start = startOfLine(lines, first - segment.line);
  const end = startOfLine(lines, to - segment.line);
  const before = styleAfter(plain, lines.slice(0, start));
  return { first, before, lines: lines.slice(start, end) };
}

/** Where the line begins before which so many are, or the end. */
function startOfLine(lines: string, count: number): number {
  let at = 0;
  for (let line = 0; line < count && at < lines.length; line++) at = lineEnd(lines, at);
  return at;
}

/** The segments that some lines are in. */
export function segmentsOf(segments: readonly Segment[], { from, to }: Lines): Segment[] {
  return segments.filter(
    ({ line }, index) => line < to && (segments[index + 1]?.line ?? Infinity) > from,
  );
}
