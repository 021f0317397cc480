import { type JobRef, jobName } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import type { PageHead } from '../../log/html/page.ts';
import { escapeJsonBytes } from '../../log/hidden.ts';
import { createLineBuffer } from '../../log/line-buffer.ts';
import { pump, type Stage } from '../../log/stage.ts';
import { toBytes } from '../../log/text.ts';
import { cleanMarkup } from '../../common/untrusted-text.ts';
import { createLogPipeline } from '../../log/log-pipeline.ts';
import type { LogRequest } from './log-request.ts';
import { endOfLog, wholeLog, type Bytes } from '../../api/log-bytes.ts';
import type { Jobs } from '../../api/jobs.ts';
import { prose, resource, text } from '../../api/resources/resource.ts';
import { CictlError } from '../../errors.ts';
import { chooseGroup, readGroups, type Group, readHeaderTimes } from '../../log/groups.ts';
import { durationText, instantText } from '../../log/format-time.ts';
import type { Output } from '../../render/output.ts';
import type { LogFormat } from './index.ts';

/** Whose log it is; the job itself where it was looked up. */
interface LogOwner {
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
  const { pageHead } = await import('./log-page-head.ts');
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

/** `--groups`: the sections with the time when they began and how long they took. */
export async function listGroups(
  ref: JobRef,
  end: string | null | undefined,
  context: Context,
): Promise<void> {
  const { jobs } = await context.client();
  await context.out.list(group, rows(groupsOf(jobs, ref, end)), { empty: 'no groups found' });
}

/** The name of the group that is meant. The log is read for it up to that group, at most. */
async function findGroup(wanted: string, ref: JobRef, context: Context): Promise<string> {
  const { jobs } = await context.client();
  const names: string[] = [];
  const noTimes = { headerTimes: () => Promise.resolve([]) };
  for await (const { name } of readGroups(await wholeLog(jobs, ref), noTimes)) {
    if (name === wanted) return wanted;
    if (name.includes(wanted)) names.push(name);
  }
  try {
    return chooseGroup(wanted, names);
  } catch (error) {
    if (!(error instanceof CictlError)) throw error;
    throw new CictlError(error.kind, error.message, {
      hint: `cictl job log ${jobName(ref)} --groups`,
    });
  }
}

async function* groupsOf(
  jobs: Jobs,
  ref: JobRef,
  end: string | null | undefined,
): AsyncGenerator<Group> {
  let times: Promise<bigint[]> | undefined;
  const headerTimes = (): Promise<bigint[]> => (times ??= readTimes(jobs, ref));
  const ended = Date.parse(end ?? '');
  yield* readGroups(await wholeLog(jobs, ref), {
    headerTimes,
    end: Number.isNaN(ended) ? undefined : BigInt(ended) * 1_000_000n,
  });
}

const readTimes = async (jobs: Jobs, ref: JobRef): Promise<bigint[]> =>
  readHeaderTimes((await jobs.logJson(ref)).body);

async function* rows(groups: AsyncIterable<Group>): AsyncGenerator<object> {
  for await (const { name, start, duration } of groups) {
    yield {
      name,
      start: start === undefined ? null : instantText(start),
      duration: duration === undefined ? null : durationText(duration),
    };
  }
}

/** What `-O` writes: the log as it is, or what `--jq` makes of its object. */
export async function filteredBytes(bytes: Bytes, { out, settings }: ValueParts): Promise<Bytes> {
  if (settings.jq === undefined) return bytes;
  return asBytes(await out.filtered(await readText(bytes)));
}

type ValueParts = Pick<Context, 'out' | 'settings'>;

/** For the object of a log, of which a program needs all. */
export async function readText(bytes: Bytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function* asBytes(text: string): Bytes {
  yield await Promise.resolve(Buffer.from(text));
}

/** A log for where it goes: people get the emojis of its headers, all others the text. */
export async function shownBytes(bytes: Bytes, format: LogFormat, out: Output): Promise<Bytes> {
  if (!out.isTerminal || (format !== 'ansi' && format !== 'text')) return bytes;
  return (await import('../../render/shortcodes.ts')).headerEmojis(bytes);
}
