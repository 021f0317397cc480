/** Which lines of a log have a text in them: all of the log, in small steps. */
import { nextTurn } from '../../timer.ts';
import type { LogOutline } from '../../log/windows/log-index.ts';
import { linesWith } from '../../log/windows/lines-with.ts';
import { ApiError } from '../http/api-error.ts';
import { bytes } from '../http/response.ts';
import type { ServiceContext } from '../service-context.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { findJobOfPage, hasLog } from './job-of-page.ts';
import { logOutline } from './log-outlines.ts';
import { readLog } from './log-window.ts';
import type { PageHandler } from './page-call.ts';

/** Numbers of lines that are sent: nobody goes through more. */
const mostMatches = 10_000;

/** Arrays of line numbers, one a line of the response as they are found. */
export const logSearch: PageHandler = async (call) => {
  const { job } = await findJobOfPage(call);
  const { logs } = call.service;
  const outline = (await hasLog(call)) ? await logOutline(logs, job.id ?? '') : undefined;
  if (outline === undefined) throw new ApiError(404, 'There is no log');
  const text = call.query.get('q') ?? '';
  const found = matches(logs, job.id ?? '', outline, text);
  return bytes('application/x-ndjson', linesOf(found, call.signal), { headers: pageHeaders });
};

async function* linesOf(
  found: AsyncIterable<readonly number[]>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const numbers of found) {
    if (signal.aborted) return;
    if (numbers.length > 0) yield Buffer.from(`${JSON.stringify(numbers)}\n`);
  }
}

/** The lines in which the text is, in any case, up to `most` and a few more. */
export async function* matches(
  logs: ServiceContext['logs'],
  jobId: string,
  { segments }: LogOutline,
  text: string,
  most = mostMatches,
): AsyncGenerator<number[]> {
  let count = 0;
  for (const segment of segments) {
    if (count >= most || text === '') return;
    const numbers = linesWith(text, segment, await readLog(logs, jobId, segment));
    count += numbers.length;
    yield numbers;
    await nextTurn();
  }
}
