import { windowParts, type SettledLines, lastLines } from '../../log/html/window-lines.ts';
import {
  linesOfSegment,
  segmentsOf,
  type LogOutline,
  createLogIndex,
  type LogIndex,
  linesWith,
  type Match,
} from '../../log/log-index.ts';
import { planWindow, type Lines, type WindowOptions, type Anchor } from '../../log/plan-window.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Job } from '../../api/resources/job.ts';
import { nextTurn } from '../../common/clock.ts';
import type { JobLogView } from '../../pages/job-log.tsx';
import { findJobOfPage, logAccess, type JobOfPage } from './job-of-page.ts';
import { ApiError } from '../http/api-error.ts';
import type { PageCall, PageHandler } from './page-call.ts';
import { pause } from './event-stream.ts';
import { bytes } from '../http/response.ts';
import { pageHeaders } from '../http/html.ts';

type Logs = ServiceContext['logs'];

/** Renders a range of lines as HTML, with gaps for lines that are not loaded yet. */
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
  const bytesOf = segmentBytes(logs, jobId);
  for (const lines of wanted) {
    const settled: SettledLines[] = [];
    for (const segment of segmentsOf(outline.segments, lines))
      settled.push(linesOfSegment(segment, await bytesOf(segment), lines));
    texts.set(keyOf(lines), settled);
  }
  return windowParts(parts, (lines) => texts.get(keyOf(lines)) ?? []);
}

const keyOf = ({ from, to }: Lines): string => `${from}-${to}`;

type SegmentBytes = (segment: { start: number; end: number }) => Promise<Uint8Array>;

/** Caches the last segment, because consecutive reads usually use the same segment. */
function segmentBytes(logs: Logs, jobId: string): SegmentBytes {
  let last: { readonly start: number; readonly bytes: Uint8Array } | undefined;
  return async ({ start, end }) => {
    if (last?.start !== start) last = { start, bytes: await readLog(logs, jobId, { start, end }) };
    return last.bytes;
  };
}

export async function readLog(
  logs: Logs,
  jobId: string,
  range: { readonly start: number; readonly end: number },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of logs.read(jobId, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const windowLength = 500;

/** The query may contain a line number as `from`, `before` or `at`. Defaults to the log's end. */
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

/** In running and failed jobs, the last section is usually the interesting one. */
export const opensLast = ({ state, exit_status: status }: Job): boolean =>
  !(state === 'passed' || status === 0);

function anchorIn(query: URLSearchParams): Anchor | undefined {
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

/** Number of logs whose outlines are cached. */
const mostKnown = 16;

interface KnownLog {
  index: LogIndex;
  outline: LogOutline;
  reading: Promise<unknown>;
}

const ofServices = new WeakMap<Logs, Map<string, KnownLog>>();

/** Returns undefined if there is no log. As a log grows, its outline is extended in small steps. */
export async function logOutline(logs: Logs, jobId: string): Promise<LogOutline | undefined> {
  const logsKnown = ofServices.get(logs) ?? new Map<string, KnownLog>();
  ofServices.set(logs, logsKnown);
  const log = logsKnown.get(jobId) ?? newLog();
  // Moves the entry to the end, so that the map stays sorted by last use.
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

/** Returns false if there is no log. */
async function readOn(logs: Logs, jobId: string, log: KnownLog): Promise<boolean> {
  const size = await logs.size(jobId);
  // A log that became shorter has been replaced.
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

/** `version` is the build's version. */
export async function jobLogView(
  call: PageCall,
  { job, path }: JobOfPage,
  version: number,
): Promise<JobLogView> {
  const { query, service } = call;
  const { logs } = service;
  const jobId = job.id ?? '';
  const access = await logAccess(call);
  const reading = access === 'there' ? logOutline(logs, jobId) : Promise.resolve(undefined);
  const size = (await logs.size(jobId)) ?? 0;
  const read = await Promise.race([reading, tooLate(size)]);
  const outline = read === 'later' ? undefined : read;
  const shown = outline ?? noLines;
  const text = query.get('q') ?? '';
  return {
    ...{ path, query: text, lines: shown.lines, size },
    state: read === 'later' ? 'reading' : outline === undefined ? access : 'there',
    // A job whose dependency failed never starts.
    isOver: Boolean(job.finished_at) || (job.state ?? '').endsWith('_failed'),
    html:
      read === 'later'
        ? await endOf(logs, jobId, size)
        : await logWindow(logs, jobId, shown, windowOptions(shown, job, query)),
    matches: text === '' ? [] : await firstMatches(logs, jobId, shown, text),
    events: `${path}/events?last-event-id=${shown.size}-${version}`,
    start: anchorIn(query) === undefined ? 'end' : 'top',
    isTimed: query.has('times'),
    timesHref: withTimes(query),
  };
}

/** Limits the wait for the outline. Large logs get less time: most would not be ready anyway. */
const tooLate = (size: number): Promise<'later'> =>
  pause(size > 32 * 1024 * 1024 ? 250 : 600).then(() => 'later' as const);

const endOf = async (logs: Logs, jobId: string, size: number) => {
  const range = { start: Math.max(0, size - lastBytes), end: size };
  return lastLines(await readLog(logs, jobId, range), windowLength);
};

/** In bytes. Usually enough for the lines that the page shows first. */
const lastBytes = 128 * 1024;

/** Returns a link that shows or hides timestamps, for browsers without scripts. */
function withTimes(query: URLSearchParams): string {
  const switched = new URLSearchParams(query);
  if (query.has('times')) switched.delete('times');
  else switched.set('times', '1');
  return `?${switched.toString()}`;
}

const noLines: LogOutline = { size: 0, lines: 0, segments: [], sections: [], lastTime: undefined };

/** Throws `ApiError` 403 if the user may not read the log, 404 if there is no log. */
export async function findLogOfPage(call: PageCall) {
  const { job } = await findJobOfPage(call);
  const access = await logAccess(call);
  if (access === 'refused') throw new ApiError(403, 'You do not have permission to read logs');
  const jobId = job.id ?? '';
  const outline = access === 'there' ? await logOutline(call.service.logs, jobId) : undefined;
  if (outline === undefined) throw new ApiError(404, 'No log');
  return { job, jobId, outline };
}

/** Maximum number of line numbers to send. Users do not step through more matches. */
const mostMatches = 10_000;

/** Streams arrays of line numbers, one per line. The last line is `"more"` if some are omitted. */
export const logSearch: PageHandler = async (call) => {
  const { jobId, outline } = await findLogOfPage(call);
  const found = matches(call.service.logs, jobId, outline, call.query.get('q') ?? '');
  return bytes('application/x-ndjson', numbers(found, call.signal), { headers: pageHeaders });
};

async function* numbers(
  found: AsyncIterable<readonly Match[]>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let left = mostMatches;
  for await (const some of found) {
    if (signal.aborted) return;
    const sent = some.slice(0, left);
    left -= sent.length;
    if (sent.length > 0) yield lineOf(sent.map(({ line }) => line));
    if (sent.length === some.length) continue;
    yield lineOf('more');
    return;
  }
}

const lineOf = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

/** Finds the first hundred matches, for browsers without scripts. */
async function firstMatches(
  logs: Logs,
  jobId: string,
  outline: LogOutline,
  text: string,
): Promise<Match[]> {
  const all: Match[] = [];
  for await (const some of matches(logs, jobId, outline, text)) {
    all.push(...some);
    if (all.length >= 100) break;
  }
  return all.slice(0, 100);
}

async function* matches(
  logs: Logs,
  jobId: string,
  { segments }: LogOutline,
  text: string,
): AsyncGenerator<readonly Match[]> {
  for (const segment of text === '' ? [] : segments) {
    yield linesWith(text, segment, await readLog(logs, jobId, segment));
    await nextTurn();
  }
}
