import type { Job } from '../../api/resources/job.ts';
import type { LogOutline } from '../../log/windows/log-index.ts';
import type { JobLogView } from '../../pages/job/job-log.tsx';
import { startTimer } from '../../timer.ts';
import { logAccess, type JobOfPage } from './job-of-page.ts';
import { anchorIn, windowOptions } from './log-options.ts';
import { logOutline } from './log-outlines.ts';
import { firstMatches } from './log-search.ts';
import { logWindow } from './log-window.ts';
import type { PageCall } from './page-call.ts';

/** Milliseconds that a page waits for a log to be read; what is read later comes as an event. */
const longestWait = 600;

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
  const read = await Promise.race([reading, later()]);
  const outline = read === 'later' ? undefined : read;
  const shown = outline ?? noLines;
  const query = call.query.get('q') ?? '';
  return {
    ...{ path, query, lines: shown.lines },
    size: (await logs.size(jobId)) ?? 0,
    state: read === 'later' ? 'reading' : outline === undefined ? access : 'there',
    isOver: isOver(job),
    html: await logWindow(logs, jobId, shown, windowOptions(shown, job, call.query)),
    matches: query === '' ? [] : await firstMatches(logs, jobId, shown, query),
    events: `${path}/events?last-event-id=${shown.size}-${version}`,
    start: anchorIn(call.query) === undefined ? 'end' : 'top',
    isTimed: call.query.has('times'),
    timesHref: withTimes(call.query),
  };
}

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

const later = (): Promise<'later'> =>
  new Promise((resolve) => {
    startTimer(longestWait, () => resolve('later'), { keepsProcess: false });
  });
