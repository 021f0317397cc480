/** What is new of a job and its log, for a page that was made some time ago. */
import { htmlOf } from '../../pages/html-of.ts';
import { JobHead } from '../../pages/job/job-head.tsx';
import { startTimer } from '../../timer.ts';
import { eventStream, lastEventId, type PageEvent } from './event-stream.ts';
import { hasLog } from './job-of-page.ts';
import { jobView } from './job-view.ts';
import { newLines } from './log-news.ts';
import { logOutline } from './log-outlines.ts';
import type { PageCall, PageHandler } from './page-call.ts';

/** Milliseconds between two looks, and how much longer when the job has finished and nothing changes. */
const gatherTime = 250;
const afterwards = 2000;

/**
 * Events `part` for the head, and `log` with `{from, lines, html}`: what the log has from a line on, in place of
 * what the page has there. The id is the offset in the log up to which the page has it, and the
 * version of the build.
 */
export const jobEvents: PageHandler = async (call) => {
  await hasLog(call);
  const [offset = 0, version = 0] = (lastEventId(call) ?? '').split('-').map(Number);
  return eventStream(changes(call, { offset, version }));
};

interface Seen {
  offset: number;
  version: number;
}

async function* changes(call: PageCall, seen: Seen): AsyncGenerator<PageEvent> {
  const { logs, engine } = call.service;
  let view = await jobView(call);
  let isNew = false;
  while (!call.signal.aborted) {
    const { version } = engine.feed.since(view.build.id ?? '', seen.version);
    if (version !== seen.version) {
      view = await jobView(call);
      isNew = true;
    }
    seen.version = version;
    const outline = await logOutline(logs, view.job.id ?? '');
    const news = await newLines(logs, view.job, outline, seen.offset);
    seen.offset = outline?.size ?? 0;
    const id = `${seen.offset}-${version}`;
    if (news !== undefined) yield { id, event: 'log', data: news };
    if (isNew)
      yield { id, event: 'part', data: { id: 'job', html: htmlOf(<JobHead view={view} />) } };
    isNew = false;
    if (view.job.finished_at) await engine.feed.next(view.build.id ?? '', afterwards);
    await pause(gatherTime);
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    startTimer(ms, resolve, { keepsProcess: false });
  });
