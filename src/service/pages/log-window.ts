/** What is shown of a range of lines of a job's log. */
import { windowParts, type SettledLines } from '../../log/html/window-lines.ts';
import { linesOfSegment, segmentsOf, type LogOutline } from '../../log/log-index.ts';
import { planWindow, type Lines, type WindowOptions } from '../../log/plan-window.ts';
import type { ServiceContext } from '../service-context.ts';

type Logs = ServiceContext['logs'];

/** As markup: all of the range, lines that are shown and gaps. */
export async function logWindow(
  logs: Logs,
  jobId: string,
  outline: LogOutline,
  options: WindowOptions,
): Promise<string> {
  const parts = planWindow(outline, options);
  const wanted = parts.flatMap(({ section, pieces }) => [
    ...(section?.hasHeader === true ? [{ from: section.line, to: section.line + 1 }] : []),
    ...pieces.filter(({ kind }) => kind === 'lines'),
  ]);
  const texts = new Map<string, SettledLines[]>();
  const bytes = segmentBytes(logs, jobId);
  for (const lines of wanted) texts.set(keyOf(lines), await settledLines(outline, lines, bytes));
  return windowParts(parts, (lines) => texts.get(keyOf(lines)) ?? []);
}

const keyOf = ({ from, to }: Lines): string => `${from}-${to}`;

async function settledLines(
  { segments }: LogOutline,
  lines: Lines,
  bytesOf: SegmentBytes,
): Promise<SettledLines[]> {
  const settled: SettledLines[] = [];
  for (const segment of segmentsOf(segments, lines))
    settled.push(linesOfSegment(segment, await bytesOf(segment), lines));
  return settled;
}

type SegmentBytes = (segment: { start: number; end: number }) => Promise<Uint8Array>;

/** Pieces that follow one another are mostly of one segment. */
function segmentBytes(logs: Logs, jobId: string): SegmentBytes {
  let last: { readonly start: number; readonly bytes: Uint8Array } | undefined;
  return async ({ start, end }) => {
    if (last?.start !== start) last = { start, bytes: await readLog(logs, jobId, { start, end }) };
    return last.bytes;
  };
}

/** Bytes of a log, as many as there are. */
export async function readLog(
  logs: Logs,
  jobId: string,
  range: { readonly start: number; readonly end: number },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of logs.read(jobId, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
