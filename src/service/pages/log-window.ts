/** What is shown of a range of lines of a job's log. */
import { windowParts, type SettledLines } from '../../log/html/window-lines.ts';
import {
  linesOfSegment,
  segmentsOf,
  type LogOutline,
  createLogIndex,
  type LogIndex,
} from '../../log/log-index.ts';
import { planWindow, type Lines, type WindowOptions, type Anchor } from '../../log/plan-window.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Job } from '../../api/resources/job.ts';
import { nextTurn } from '../../common/clock.ts';

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

/** Lines that a page shows at first, and that are added at a time. */
export const windowLength = 500;

/**
 * Which lines are wanted of a log: the query `from`, `before` or `at` names the line, else the end is; `first`
 * and `end` bound them, and `within` is the section that they are in.
 */
export function windowOptions(
  outline: LogOutline,
  job: Job,
  query: URLSearchParams,
): WindowOptions {
  const end = outline.lines + 1;
  const range = {
    from: Math.max(1, numberIn(query, 'first') ?? 1),
    to: Math.min(end, numberIn(query, 'end') ?? end),
  };
  const anchor = anchorIn(query) ?? { side: 'before', line: range.to };
  const within = numberIn(query, 'within');
  return { range, anchor, opensLast: opensLast(job), within, most: windowLength };
}

/** Of a job that runs, and of one that failed, the end is what one looks for. */
export const opensLast = ({ state, exit_status: status }: Job): boolean =>
  !(state === 'passed' || status === 0);

export function anchorIn(query: URLSearchParams): Anchor | undefined {
  for (const side of ['from', 'before', 'at'] as const) {
    const line = numberIn(query, side);
    if (line !== undefined) return { side, line };
  }
  return undefined;
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

// Where lines are in the logs that somebody looks at: read once each, and further as they grow.

/** Of so many logs it is known at a time. */
const mostKnown = 16;

interface KnownLog {
  index: LogIndex;
  outline: LogOutline;
  reading: Promise<unknown>;
}

const ofServices = new WeakMap<Logs, Map<string, KnownLog>>();

/**
 * How the log of a job is now; undefined where there is none. A large one is read in small steps, so
 * that other requests have their turns between.
 */
export async function logOutline(logs: Logs, jobId: string): Promise<LogOutline | undefined> {
  const logsKnown = ofServices.get(logs) ?? new Map<string, KnownLog>();
  ofServices.set(logs, logsKnown);
  const log = logsKnown.get(jobId) ?? newLog();
  // The one that was asked for last is the last to go.
  logsKnown.delete(jobId);
  logsKnown.set(jobId, log);
  for (const [id] of logsKnown) if (logsKnown.size > mostKnown) logsKnown.delete(id);
  const reading = log.reading.then(() => readOn(logs, jobId, log));
  log.reading = reading.catch(() => undefined);
  return (await reading) ? log.outline : undefined;
}

function newLog(): KnownLog {
  const index = createLogIndex();
  return { index, outline: index.outline(), reading: Promise.resolve() };
}

/** False where there is no log. */
async function readOn(logs: Logs, jobId: string, log: KnownLog): Promise<boolean> {
  const size = await logs.size(jobId);
  // What is shorter than it was is another log.
  if (size === undefined || size < log.index.size())
    Object.assign(log, newLog(), { reading: log.reading });
  if (size === undefined) return false;
  const start = log.index.size();
  for await (const chunk of logs.read(jobId, { start, end: size })) {
    log.index.push(chunk);
    await nextTurn();
  }
  if (log.index.size() !== start) log.outline = log.index.outline();
  return true;
}
