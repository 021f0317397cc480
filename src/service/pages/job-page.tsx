import { JobHead, type JobView, bytesText } from '../../pages/job-head.tsx';
import { JobLog } from '../../pages/job-log.tsx';
import { jobTitle, type Job } from '../../api/resources/job.ts';
import { ApiError } from '../http/api-error.ts';
import { bytes } from '../http/response.ts';
import { pageHeaders } from '../http/html.ts';
import { jobPath, webBuild, pipelineCrumbs } from './addresses.ts';
import {
  findLogOfPage,
  jobLogView,
  windowOptions,
  logWindow,
  logOutline,
  opensLast,
  windowLength,
  readLog,
} from './job-log.ts';
import { findJobOfPage, jobView, logAccess } from './job-of-page.ts';
import type { PageHandler, PageCall } from './page-call.ts';
import { type LogOutline, styleOf, type Segment } from '../../log/log-index.ts';
import { htmlOf } from '../../pages/elements.tsx';
import {
  eventStream,
  lastEventId,
  partEvents,
  type PageEvent,
  pause,
  followPictures,
  type Picture,
} from './event-stream.ts';
import { locateBuild } from './build-page.tsx';
import { settleSegment } from '../../log/segments.ts';
import type { ServiceContext } from '../service-context.ts';

export const jobPage: PageHandler = async (call) => {
  const view = await jobView(call);
  const { job, build } = view;
  const { version } = call.service.engine.feed.since(build.id ?? '', null);
  const name = jobTitle(job) ?? '';
  const { pipeline = '', number = '' } = call.params;
  return {
    title: `${name}, build ${number} of ${pipeline}`,
    crumbs: pipelineCrumbs(
      call.params,
      { text: `#${number}`, href: webBuild(call.params) },
      { text: name },
    ),
    body: (
      <>
        <JobHead view={view} />
        <JobLog view={await jobLogView(call, view, version)} />
      </>
    ),
  };
};

/** Returns the HTML for a gap in the log. */
export const logLines: PageHandler = async (call) => {
  const { job, jobId, outline } = await findLogOfPage(call);
  const options = windowOptions(outline, job, call.query);
  const html = await logWindow(call.service.logs, jobId, outline, options);
  return bytes('text/html; charset=utf-8', html, { headers: pageHeaders });
};

/** Returns the log as text. Empty if the job has not printed anything yet. */
export const rawLog: PageHandler = async (call) => {
  const range = call.header('range');
  const response = await call.api
    .fetch(`${jobPath(call.params)}/log.txt`, range === undefined ? {} : { range })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    });
  if (response === undefined) {
    await findJobOfPage(call);
    return bytes('text/plain; charset=utf-8', '', { headers: pageHeaders });
  }
  const kept = ['content-type', 'content-length', 'content-range', 'accept-ranges'];
  const headers = Object.fromEntries([...response.headers].filter(([name]) => kept.includes(name)));
  return {
    status: response.status,
    headers: { ...pageHeaders, ...headers },
    body: response.body as AsyncIterable<Uint8Array> | null,
  };
};

/** Milliseconds between updates, and milliseconds to wait for more output after a job has ended. */
const [gatherTime, afterwards] = [250, 2000];
/** An event ID contains the offset in the log and the build version of the page. */
export const jobEvents: PageHandler = async (call) => {
  await findJobOfPage(call);
  const mayRead = (await logAccess(call)) !== 'refused';
  return eventStream(call, (signal) => changes({ ...call, signal }, mayRead));
};

async function* changes(call: PageCall, mayRead: boolean): AsyncGenerator<PageEvent> {
  const [size = '', seen = '0'] = (lastEventId(call) ?? '').split('-');
  let [offset, version] = [Number(size), seen];
  for await (const batch of followPictures(call, 'job', version, jobPictures)) {
    const { view, outline, version: now } = batch.picture;
    const news = mayRead && (await sharedNews(call, view.job, outline, offset));
    offset = outline?.size ?? 0;
    // Keeps the old version in the ID: a page that disconnects now does not have the new page head.
    if (batch.parts.length === 0) version = now;
    if (news) yield { id: `${offset}-${version}`, event: 'log', data: news };
    yield* partEvents(batch, `${offset}-${version}`, `${offset}-${now}`);
    version = now;
  }
}

interface JobPicture extends Picture {
  readonly view: JobView;
  readonly outline: LogOutline | undefined;
}

/** Yields the head of the page and the outline of the log whenever one of them changes. */
async function* jobPictures(call: PageCall): AsyncGenerator<JobPicture> {
  const { engine, clock, logs } = call.service;
  let seen: number | null = null;
  let view = await jobView(call);
  const buildId = view.build.id ?? '';
  let shown: string | undefined;
  let size: number | undefined;
  while (!call.signal.aborted) {
    const { version } = engine.feed.since(buildId, seen);
    if (version !== seen) view = await jobView(call);
    const outline = await logOutline(logs, view.job.id ?? '');
    const context = { ...view.context, now: clock.now() };
    const html = htmlOf(<JobHead view={{ ...view, context }} />);
    if (html !== shown || outline?.size !== size || version !== seen) {
      const head = [{ id: 'job', html }];
      yield {
        ...{ version: String(version), view, outline, all: () => Promise.resolve(head) },
        changed: html === shown ? [] : head,
        isExact: engine.feed.since(buildId, version).version === version,
      };
    }
    [shown, size, seen] = [html, outline?.size, version];
    // Throws if the job was removed with its build. The change feed does not report removals.
    locateBuild(call);
    if (view.job.finished_at) await engine.feed.next(buildId, afterwards);
    await pause(gatherTime);
  }
}

/** Maximum number of cached offsets. Most pages that follow a log are at about the same offset. */
const mostOffsets = 100;
const madeNews = new WeakMap<LogOutline, Map<number, Promise<Uint8Array | undefined>>>();

/** Renders the lines after an offset once for all pages that are at that offset. */
function sharedNews(
  { service: { logs } }: PageCall,
  job: Job,
  outline: LogOutline | undefined,
  offset: number,
): Promise<LogNews | Uint8Array | undefined> {
  if (outline === undefined) return newLines(logs, job, outline, offset);
  const made = madeNews.get(outline) ?? new Map<number, Promise<Uint8Array | undefined>>();
  madeNews.set(outline, made);
  if (made.size >= mostOffsets) made.clear();
  const news =
    made.get(offset) ??
    newLines(logs, job, outline, offset).then(
      (found) => found && Buffer.from(JSON.stringify(found)),
    );
  made.set(offset, news);
  news.catch(() => made.delete(offset));
  return news;
}

type Logs = ServiceContext['logs'];

/** Replaces the lines of the log starting at line `from`. */
interface LogNews {
  readonly from: number;
  /** Total number of lines. */
  readonly lines: number;
  readonly html: string;
  /** Formatted size of the log: `3.4 kB`. */
  readonly size: string;
}

/** Returns undefined if there are no new lines. */
async function newLines(
  logs: Logs,
  job: Job,
  outline: LogOutline | undefined,
  offset: number,
): Promise<LogNews | undefined> {
  if (outline === undefined) {
    const html = '<p class="note">The log was deleted.</p>';
    return offset === 0 ? undefined : { from: 1, lines: 0, html, size: bytesText(0) };
  }
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

/** Returns the first line that has changed since the log was `offset` bytes long, if any. */
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
  // The new log may also have fewer lines.
  const isNew = segment.line + count <= lines || before.length > count;
  return isNew ? segment.line + count : undefined;
}

function linesOf({ ending, sgr }: Segment, bytes: Uint8Array): string[] {
  const { lines } = settleSegment(bytes, { ending, before: styleOf(sgr) });
  return lines === '' ? [] : lines.replace(/\n$/, '').split('\n');
}
