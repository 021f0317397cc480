import type { Job } from '../../api/resources/job.ts';
import { bytesText } from '../../pages/job/job-artifacts.tsx';
import { settleSegment } from '../../log/segments.ts';
import { styleOf, type LogOutline, type Segment } from '../../log/log-index.ts';
import type { ServiceContext } from '../service-context.ts';
import { opensLast, windowLength } from './log-options.ts';
import { logWindow, readLog } from './log-window.ts';

type Logs = ServiceContext['logs'];

/** What a log has from a line on: all that differs from what it had. */
export interface LogNews {
  readonly from: number;
  /** How many lines there are. */
  readonly lines: number;
  readonly html: string;
  /** Of the log, as one reads it: `3.4 kB`. */
  readonly size: string;
}

const gone = '<p class="note">The log was deleted.</p>';

/** What is new since the log had `offset` bytes; undefined where nothing is. */
export async function newLines(
  logs: Logs,
  job: Job,
  outline: LogOutline | undefined,
  offset: number,
): Promise<LogNews | undefined> {
  if (outline === undefined)
    return offset === 0 ? undefined : { from: 1, lines: 0, html: gone, size: bytesText(0) };
  if (outline.size === offset) return undefined;
  const from = outline.size < offset ? 1 : await firstChanged(logs, job, outline, offset);
  if (from === undefined) return undefined;
  const to = outline.lines + 1;
  const html = await logWindow(logs, job.id ?? '', outline, {
    ...{ range: { from, to }, anchor: { side: 'before', line: to } },
    ...{ opensLast: opensLast(job), most: windowLength },
  });
  return { from, lines: outline.lines, html, size: bytesText(outline.size) };
}

/** The first line that is another than when the log had so many bytes; undefined where none is. */
async function firstChanged(
  logs: Logs,
  job: Job,
  { segments, lines }: LogOutline,
  offset: number,
): Promise<number | undefined> {
  const segment = segments.findLast(({ start }) => start <= offset);
  if (segment === undefined) return 1;
  const bytes = await readLog(logs, job.id ?? '', segment);
  const now = linesOf(segment, bytes);
  const before = linesOf({ ...segment, ending: 'open' }, bytes.subarray(0, offset - segment.start));
  const same = now.findIndex((line, at) => line !== before[at]);
  const count = same < 0 ? now.length : same;
  // Lines may have gone, too.
  const isNew = segment.line + count <= lines || before.length > count;
  return isNew ? segment.line + count : undefined;
}

function linesOf({ ending, sgr }: Segment, bytes: Uint8Array): string[] {
  const { lines } = settleSegment(bytes, { ending, before: styleOf(sgr) });
  return lines === '' ? [] : lines.replace(/\n$/, '').split('\n');
}
