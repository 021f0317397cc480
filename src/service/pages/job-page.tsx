/** The page of a job, and what its script asks for: `log-events.ts` says what is new. */
import { JobHead } from '../../pages/job-head.tsx';
import { JobLog } from '../../pages/job-log.tsx';
import { jobTitle } from '../../api/resources/job.ts';
import { ApiError } from '../http/api-error.ts';
import { bytes } from '../http/response.ts';
import { pageHeaders } from '../http/html.ts';
import { jobPath, webBuild, pipelineCrumbs } from './addresses.ts';
import { jobLogView } from './job-log-view.ts';
import { findJobOfPage, findLogOfPage, jobView } from './job-of-page.ts';
import { windowOptions, logWindow } from './log-window.ts';
import type { PageHandler } from './page-call.ts';

export { jobEvents } from './log-events.tsx';
export { logSearch } from './job-log-view.ts';

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

/** Lines for a gap of the page, as markup. */
export const logLines: PageHandler = async (call) => {
  const { job, jobId, outline } = await findLogOfPage(call);
  const options = windowOptions(outline, job, call.query);
  const html = await logWindow(call.service.logs, jobId, outline, options);
  return bytes('text/html; charset=utf-8', html, { headers: pageHeaders });
};

/** The file as it is, for reading in the browser; empty where nothing was printed yet. */
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
  const headers = ['content-type', 'content-length', 'content-range', 'accept-ranges'].flatMap(
    (name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    },
  );
  return {
    status: response.status,
    headers: { ...pageHeaders, ...(Object.fromEntries(headers) as Record<string, string>) },
    body: response.body as AsyncIterable<Uint8Array> | null,
  };
};
