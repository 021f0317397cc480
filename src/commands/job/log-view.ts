import type { JobRef } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import type { PageHead } from '../../log/html/page-head.ts';
import { escapeJsonBytes } from '../../log/json-escape.ts';
import { createLineBuffer } from '../../log/line-buffer.ts';
import { pump, type Stage } from '../../log/stage.ts';
import { toBytes } from '../../log/text.ts';
import { cleanMarkup } from '../../untrusted-text.ts';
import { createLogPipeline } from '../../log/log-pipeline.ts';
import { findGroup } from './log-groups.ts';
import type { LogRequest } from './log-request.ts';
import { endOfLog, wholeLog, type Bytes } from '../../api/log-bytes.ts';

/** Whose log it is; the job itself where it was looked up. */
export interface LogOwner {
  readonly ref: JobRef;
  readonly job?: Job | undefined;
}

/** The log of a job in the requested form; `server`: the service's own HTML. */
export async function logBytes(
  { ref, job }: LogOwner,
  request: LogRequest,
  server: boolean,
  context: Context,
): Promise<Bytes> {
  const { jobs } = await context.client();
  const { format } = request;
  if (format === 'json') return asLine(pump((await jobs.logJson(ref)).body, escapeJsonBytes()));
  if (server) return pump((await jobs.logText(ref, { html: true })).body, cleanHtml());
  const known = format === 'html' ? await headOf(ref, job, context) : undefined;
  const group =
    request.groupName === undefined ? undefined : await findGroup(request.groupName, ref, context);
  const { tail } = request;
  const isTail = tail !== undefined && isEndEnough(request);
  const bytes = isTail ? (await endOfLog(jobs, ref, tail)).body : await wholeLog(jobs, ref);
  if (format === 'raw' && request.part === undefined) return bytes;
  const view = {
    ...request,
    format,
    ...(known !== undefined && { page: { ...known, part: request.part } }),
  };
  return pump(
    bytes,
    await createLogPipeline({
      ...view,
      group: group === undefined ? undefined : (name) => name === group,
    }),
  );
}

/** HTML without control and hidden characters. */
function cleanHtml(): Stage<Uint8Array> {
  const lines = createLineBuffer();
  const clean = (block: Buffer): string => toBytes(cleanMarkup(block.toString()));
  return { push: (chunk) => lines.push(chunk).map(clean).join(''), end: () => clean(lines.end()) };
}

/** Loaded for a page alone. */
async function headOf(ref: JobRef, job: Job | undefined, context: Context): Promise<PageHead> {
  const { pageHead } = await import('./page-head.ts');
  return pageHead(ref, job, context);
}

/** `--tail` alone: what came before matters to the filters, and to the time that has passed. */
export const isEndEnough = ({ format, groupName, grep, head, timestamps }: LogRequest): boolean =>
  format !== 'html' &&
  groupName === undefined &&
  grep === undefined &&
  head === undefined &&
  timestamps !== 'elapsed';

/** A JSON text ends with a newline, whether the service sent one or not. */
async function* asLine(json: Bytes): Bytes {
  let last: number | undefined;
  for await (const chunk of json) {
    yield chunk;
    last = chunk.at(-1) ?? last;
  }
  if (last !== newline) yield Uint8Array.of(newline);
}

const newline = 0x0a;
