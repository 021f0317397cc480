import { byteLength, cutText, lastThatFit } from './byte-budget.ts';
import type { Excerpt } from './excerpt.ts';
import type { Limits } from './limits.ts';
import type { Failure } from './report-resource.ts';

type Log = Pick<Failure, 'section' | 'lines' | 'last_line' | 'omitted_lines' | 'truncated'>;

/** The bytes that an excerpt may take by the limits of a line and of a job, newlines included. */
export const wantedBytes = ({ lines }: Excerpt, { maxLineBytes, maxJobBytes }: Limits): number =>
  Math.min(
    maxJobBytes,
    lines.reduce((sum, line) => sum + Math.min(byteLength(line), maxLineBytes) + 1, 0),
  );

/** As many of its last lines as fit into `max` bytes. */
export function fitExcerpt(excerpt: Excerpt, max: number, limits: Limits): Log {
  const cuts = excerpt.lines.map((line) => cutText(line, limits.maxLineBytes));
  const texts = cuts.map(({ text }) => text);
  const { lines, dropped, cut } = lastThatFit(texts, max);
  const omitted = excerpt.omitted === null ? null : excerpt.omitted + dropped;
  const isCut = cut || cuts.slice(dropped).some(({ truncated }) => truncated);
  return {
    section: excerpt.section === null ? null : cutText(excerpt.section, limits.maxLineBytes).text,
    lines,
    last_line: lines.findLast(saysMore) ?? null,
    omitted_lines: omitted,
    truncated: isCut || omitted !== 0,
  };
}

/** Agents end a log by saying the exit status once more, which is reported separately. */
const saysMore = (line: string): boolean =>
  line.trim() !== '' &&
  !/(?:\bThe command exited with status -?\d+|^user command error: .*exit status -?\d+)\s*$/.test(
    line,
  );
