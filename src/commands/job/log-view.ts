import { buffer } from 'node:stream/consumers';
import type { Jobs } from '../../api/jobs.ts';
import { endOfLog, wholeLog, type Bytes } from '../../api/log-bytes.ts';
import { type JobRef, jobName } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import { prose, resource, text } from '../../api/resources/resource.ts';
import { cleanMarkup } from '../../common/untrusted-text.ts';
import type { Context } from '../../context.ts';
import { durationText, instantText } from '../../log/format-time.ts';
import { chooseGroup, readGroups, readHeaderTimes } from '../../log/groups.ts';
import { escapeJsonBytes } from '../../log/hidden.ts';
import { createLineBuffer } from '../../log/line-buffer.ts';
import { createLogPipeline } from '../../log/log-pipeline.ts';
import { pump, type Stage } from '../../log/stage.ts';
import { toBytes } from '../../log/text.ts';
import type { Output } from '../../render/output.ts';
import { once } from '../async.ts';
import type { LogFormat } from './index.ts';
import type { LogRequest } from './log-request.ts';

/**
 * The log of a job in the requested form. `job` is set if the job was already looked up. `server`
 * requests the HTML that the service itself creates.
 */
export async function logBytes(
  { ref, job }: { readonly ref: JobRef; readonly job?: Job | undefined },
  request: LogRequest,
  server: boolean,
  context: Context,
): Promise<Bytes> {
  const { jobs } = await context.client();
  const { format, groupName, part, tail } = request;
  if (format === 'json') return asLine(pump((await jobs.logJson(ref)).body, escapeJsonBytes()));
  if (server) return pump((await jobs.logText(ref, { html: true })).body, cleanHtml());
  const page = format === 'html' ? { ...(await headOf(ref, job, context)), part } : undefined;
  const group = groupName === undefined ? undefined : await findGroup(groupName, ref, context);
  const isTail = tail !== undefined && isEndEnough(request);
  const bytes = isTail ? (await endOfLog(jobs, ref, tail)).body : await wholeLog(jobs, ref);
  if (format === 'raw' && part === undefined) return bytes;
  const pipeline = await createLogPipeline({
    ...{ ...request, format },
    ...(page !== undefined && { page }),
    group: group === undefined ? undefined : (name) => name === group,
  });
  return pump(bytes, pipeline);
}

/** Removes control and hidden characters. */
function cleanHtml(): Stage<Uint8Array> {
  const lines = createLineBuffer();
  const clean = (block: Buffer): string => toBytes(cleanMarkup(block.toString()));
  return { push: (chunk) => lines.push(chunk).map(clean).join(''), end: () => clean(lines.end()) };
}

async function headOf(ref: JobRef, job: Job | undefined, context: Context) {
  const { pageHead } = await import('./log-page-head.ts');
  return pageHead(ref, job, context);
}

/** Whether the end of the log is enough for `--tail`. Filters and elapsed times need more. */
export const isEndEnough = ({ format, groupName, grep, head, timestamps }: LogRequest): boolean =>
  format !== 'html' &&
  groupName === undefined &&
  grep === undefined &&
  head === undefined &&
  timestamps !== 'elapsed';

/** Adds a trailing newline if the service did not send one. */
async function* asLine(json: Bytes): Bytes {
  let last: number | undefined;
  for await (const chunk of json) {
    yield chunk;
    last = chunk.at(-1) ?? last;
  }
  if (last !== newline) yield Uint8Array.of(newline);
}

const newline = 0x0a;

async function findGroup(text: string, ref: JobRef, context: Context): Promise<string> {
  const { jobs } = await context.client();
  return chooseGroup(text, await wholeLog(jobs, ref), `cictl job log ${jobName(ref)} --groups`);
}

/** Prints the sections for `--groups`, with their start times and durations. */
export async function listGroups(
  ref: JobRef,
  end: string | null | undefined,
  context: Context,
): Promise<void> {
  const { jobs } = await context.client();
  await context.out.list(group, groupRows(jobs, ref, end), { empty: 'no sections found' });
}

const group = resource({
  name: 'group',
  plural: 'groups',
  members: { name: prose(), start: text(), duration: text() },
  columns: [
    { path: 'name', heading: 'NAME' },
    { path: 'start', heading: 'START' },
    { path: 'duration', heading: 'DURATION' },
  ],
});

async function* groupRows(
  jobs: Jobs,
  ref: JobRef,
  end: string | null | undefined,
): AsyncGenerator<object> {
  const readTimes = async () => readHeaderTimes((await jobs.logJson(ref)).body);
  let times: Promise<bigint[]> | undefined;
  const finished = Date.parse(end ?? '');
  const groups = readGroups(await wholeLog(jobs, ref), {
    headerTimes: () => (times ??= readTimes()),
    end: Number.isNaN(finished) ? undefined : BigInt(finished) * 1_000_000n,
  });
  for await (const { name, start, duration } of groups) {
    yield {
      name,
      start: start === undefined ? null : instantText(start),
      duration: duration === undefined ? null : durationText(duration),
    };
  }
}

/** Returns what `-O` writes to the file: the log, or the output of `--jq`. */
export async function filteredBytes(bytes: Bytes, { out, settings }: Context): Promise<Bytes> {
  if (settings.jq === undefined) return bytes;
  const filtered = await out.filtered((await buffer(bytes)).toString());
  return once(Buffer.from(filtered));
}

/** On a terminal, replaces emoji names in headers with emojis. */
export async function shownBytes(bytes: Bytes, format: LogFormat, out: Output): Promise<Bytes> {
  if (!out.isTerminal || (format !== 'ansi' && format !== 'text')) return bytes;
  return (await import('../../render/shortcodes.ts')).headerEmojis(bytes);
}
