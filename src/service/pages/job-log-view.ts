import type { Job } from '../../api/resources/job.ts';
import { lastLines } from '../../log/html/window-lines.ts';
import { type LogOutline, linesWith, type Match } from '../../log/log-index.ts';
import type { JobLogView } from '../../pages/job-log.tsx';
import { logAccess, type JobOfPage, findLogOfPage } from './job-of-page.ts';
import {
  anchorIn,
  windowLength,
  windowOptions,
  logOutline,
  logWindow,
  readLog,
} from './log-window.ts';
import type { PageCall, PageHandler } from './page-call.ts';
import { pause } from './event-stream.ts';
import { nextTurn } from '../../common/clock.ts';
import { bytes } from '../http/response.ts';
import type { ServiceContext } from '../service-context.ts';
import { pageHeaders } from '../http/html.ts';

/** What the page of a job shows of its log at first. `version`: that of the build. */
export async function jobLogView(
  call: PageCall,
  { job, path }: JobOfPage,
  version: number,
): Promise<JobLogView> {
  const { logs } = call.service;
  const jobId = job.id ?? '';
  const access = await logAccess(call);
  const reading = access === 'there' ? logOutline(logs, jobId) : Promise.resolve(undefined);
  const size = (await logs.size(jobId)) ?? 0;
  const read = await Promise.race([reading, tooLate(size)]);
  const outline = read === 'later' ? undefined : read;
  const shown = outline ?? noLines;
  const query = call.query.get('q') ?? '';
  return {
    ...{ path, query, lines: shown.lines, size },
    state: read === 'later' ? 'reading' : outline === undefined ? access : 'there',
    isOver: isOver(job),
    html:
      read === 'later'
        ? await endOf(logs, jobId, size)
        : await logWindow(logs, jobId, shown, windowOptions(shown, job, call.query)),
    matches: query === '' ? [] : await firstMatches(logs, jobId, shown, query),
    events: `${path}/events?last-event-id=${shown.size}-${version}`,
    start: anchorIn(call.query) === undefined ? 'end' : 'top',
    isTimed: call.query.has('times'),
    timesHref: withTimes(call.query),
  };
}

/**
 * When a page waits no longer for a log of so many bytes to be read, which comes as an event then. Of a large one that is
 * to be expected, and its end can be seen sooner.
 */
const tooLate = (size: number): Promise<'later'> =>
  pause(size > large ? waitOfLarge : longestWait).then(() => 'later' as const);

/** Milliseconds. */
const longestWait = 600;
const waitOfLarge = 250;
/** Bytes. */
const large = 32 * 1024 * 1024;

/** What is at the end, until all of the log is read. */
const endOf = async (logs: PageCall['service']['logs'], jobId: string, size: number) =>
  lastLines(
    await readLog(logs, jobId, { start: Math.max(0, size - lastBytes), end: size }),
    windowLength,
  );

/** Room for as many lines as a page shows at first, mostly. */
const lastBytes = 128 * 1024;

/** With times in place of without, and the other way round: for a browser without scripts. */
function withTimes(query: URLSearchParams): string {
  const switched = new URLSearchParams(query);
  if (query.has('times')) switched.delete('times');
  else switched.set('times', '1');
  return `?${switched.toString()}`;
}

/** Also what will never begin, as what it waited for has failed. */
const isOver = ({ finished_at: end, state }: Job): boolean =>
  Boolean(end) || (state ?? '').endsWith('_failed');

const noLines: LogOutline = { size: 0, lines: 0, segments: [], sections: [], lastTime: undefined };

// Which lines of a log have a text in them: all of the log, in small steps.

/** Numbers of lines that are sent: nobody goes through more. */
const mostMatches = 10_000;

/** Arrays of line numbers, one a line of the response as they are found; `"more"` where some are left out. */
export const logSearch: PageHandler = async (call) => {
  const { jobId, outline } = await findLogOfPage(call);
  const found = matches(call.service.logs, jobId, outline, call.query.get('q') ?? '');
  return bytes('application/x-ndjson', numbers(found, call.signal), { headers: pageHeaders });
};

async function* numbers(
  found: AsyncIterable<readonly Match[]>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const some of found) {
    if (signal.aborted) return;
    const sent = some.slice(0, mostMatches - count);
    count += sent.length;
    if (sent.length > 0) yield lineOf(sent.map(({ line }) => line));
    if (sent.length === some.length) continue;
    yield lineOf('more');
    return;
  }
}

const lineOf = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

/** The first hundred, for a page without scripts. */
async function firstMatches(
  logs: ServiceContext['logs'],
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

/** The lines in which the text is, in any case, segment by segment. */
async function* matches(
  logs: ServiceContext['logs'],
  jobId: string,
  { segments }: LogOutline,
  text: string,
): AsyncGenerator<readonly Match[]> {
  for (const segment of text === '' ? [] : segments) {
    yield linesWith(text, segment, await readLog(logs, jobId, segment));
    await nextTurn();
  }
}
