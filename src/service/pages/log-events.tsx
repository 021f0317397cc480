/** What is new of a job and its log, for a page that was made some time ago. */
import { htmlOf } from '../../pages/html-of.ts';
import { JobHead } from '../../pages/job/job-head.tsx';
import type { JobView } from '../../pages/job/job-view.ts';
import { eventStream, lastEventId, type PageEvent } from './event-stream.ts';
import { findJobOfPage, logAccess } from './job-of-page.ts';
import { jobView } from './job-view.ts';
import { locateBuild } from './locate-build.ts';
import { newLines, type LogNews } from './log-news.ts';
import { logOutline } from './log-outlines.ts';
import type { PageCall, PageHandler } from './page-call.ts';
import { pause } from './pause.ts';

/** Milliseconds between two looks, and how much longer when the job has finished and nothing changes. */
const gatherTime = 250;
const afterwards = 2000;

/**
 * Events `part` for the head, and `log` with `{from, lines, html, size}`: what the log has from a line on, in place of
 * what the page has there. The id is the offset in the log up to which the page has it, and the
 * version of the build. Throws `ApiError` where there is no such job.
 */
export const jobEvents: PageHandler = async (call) => {
  await findJobOfPage(call);
  const mayRead = (await logAccess(call)) !== 'refused';
  const [offset = 0, version = 0] = (lastEventId(call) ?? '').split('-').map(Number);
  return eventStream(call, (signal) => changes({ ...call, signal }, { offset, version, mayRead }));
};

interface Seen {
  offset: number;
  version: number;
  readonly mayRead: boolean;
}

async function* changes(call: PageCall, seen: Seen): AsyncGenerator<PageEvent> {
  const { engine, clock } = call.service;
  let view = await jobView(call);
  // What happened since the page was made is in the view already, and not yet on the page.
  const isSame = engine.feed.since(view.build.id ?? '', seen.version).version === seen.version;
  let shown = isSame ? headOf(view) : '';
  while (!call.signal.aborted) {
    const { version } = engine.feed.since(view.build.id ?? '', seen.version);
    if (version !== seen.version) view = await jobView(call);
    const news = await logNews(call, view, seen);
    const head = headOf({ ...view, context: { ...view.context, now: clock.now() } });
    // Whoever breaks off between the two has not seen the head of this version.
    if (head === shown) seen.version = version;
    if (news !== undefined) yield { id: idOf(seen), event: 'log', data: news };
    seen.version = version;
    if (head !== shown) yield { id: idOf(seen), event: 'part', data: { id: 'job', html: head } };
    shown = head;
    // It may have gone with its build, of which nobody hears.
    locateBuild(call);
    if (view.job.finished_at) await engine.feed.next(view.build.id ?? '', afterwards);
    await pause(gatherTime);
  }
}

const headOf = (view: JobView): string => htmlOf(<JobHead view={view} />);

const idOf = ({ offset, version }: Seen): string => `${offset}-${version}`;

async function logNews(call: PageCall, { job }: JobView, seen: Seen): Promise<LogNews | undefined> {
  if (!seen.mayRead) return undefined;
  const { logs } = call.service;
  const outline = await logOutline(logs, job.id ?? '');
  const news = await newLines(logs, job, outline, seen.offset);
  seen.offset = outline?.size ?? 0;
  return news;
}
