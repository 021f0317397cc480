import { byteLength, cutText } from './byte-budget.ts';
import { chooseLines, type Chosen } from './choose-lines.ts';
import type { Excerpt } from './excerpt.ts';
import { isClosing } from './noise.ts';
import type { Limits } from './limits.ts';
import type { Failure } from './report-resource.ts';

type Log = Pick<
  Failure,
  'section' | 'lines' | 'cause' | 'last_line' | 'omitted_lines' | 'log_command' | 'truncated'
>;

/** The bytes that an excerpt takes within the limits of a line and of a job, newlines included. */
export const wantedBytes = (excerpt: Excerpt, limits: Limits, command: string | null): number =>
  bytesOf(chosen(excerpt, limits.maxJobBytes, limits, command));

const bytesOf = ({ lines }: Chosen): number =>
  lines.reduce((sum, { text }) => sum + byteLength(text) + 1, 0);

/** As many of the most relevant lines as fit into `max` bytes. */
export function fitExcerpt(
  excerpt: Excerpt,
  max: number,
  limits: Limits,
  command: string | null,
): Log {
  const wanted = chosen(excerpt, limits.maxJobBytes, limits, command);
  const { lines, isCut } = bytesOf(wanted) <= max ? wanted : chosen(excerpt, max, limits, command);
  const first = lines[0]?.place ?? excerpt.total;
  const cause = bestPlaces(lines);
  const omitted = excerpt.isWhole ? first : null;
  return {
    section: excerpt.section === null ? null : cutText(excerpt.section, limits.maxLineBytes).text,
    lines: lines.map(({ text }) => text),
    cause,
    last_line: lines[cause[0] ?? -1]?.text ?? null,
    omitted_lines: omitted,
    log_command: command,
    truncated: isCut || omitted !== 0,
  };
}

const chosen = (
  excerpt: Excerpt,
  maxBytes: number,
  { lines: maxLines, maxLineBytes }: Limits,
  command: string | null,
): Chosen => chooseLines(excerpt, { maxLines, maxLineBytes, maxBytes }, command);

/** So many places are enough for what is shown first. */
const mostPlaces = 20;

const bestPlaces = (lines: Chosen['lines']): number[] => {
  const ranked = [...lines.entries()].filter(
    ([, { rank, text }]) => rank !== null && text.trim() !== '',
  );
  const own = ranked.filter(([, { text }]) => !isClosing(text));
  return (own.length > 0 ? own : ranked)
    .sort(([, a], [, b]) => (a.rank ?? 0) - (b.rank ?? 0))
    .slice(0, mostPlaces)
    .map(([at]) => at);
};
