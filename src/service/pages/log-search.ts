/** Which lines of a log have a text in them: all of the log, in small steps. */
import { nextTurn } from '../../common/clock.ts';
import { type LogOutline, linesWith, type Match } from '../../log/log-index.ts';
import { bytes } from '../http/response.ts';
import type { ServiceContext } from '../service-context.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { findLogOfPage } from './job-of-page.ts';
import { readLog } from './log-window.ts';
import type { PageHandler } from './page-call.ts';

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
export async function firstMatches(
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
