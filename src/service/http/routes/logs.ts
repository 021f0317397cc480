// Specification, "Jobs": logs.
import { isWithAgent } from '../../domain/job-states.ts';
import type { ServiceContext } from '../../service-context.ts';
import { accepts, route, type Call, type Route } from '../route.ts';
import { bytes, empty, type RouteResponse } from '../response.ts';
import { ApiError, notFound, refused } from '../api-error.ts';
import { findJob, type LocatedJob } from '../lookups.ts';
import { rangeOf } from '../byte-range.ts';
import { jobPaths } from './jobs.ts';

/** Every started command has a log file until it is deleted. */
const noLog = ({ logs }: ServiceContext, { job }: LocatedJob): ApiError =>
  job.type !== 'script' || job.startedAt === null || logs.wasDeleted(job.id)
    ? notFound('log')
    : new ApiError(404, 'No log found: its file is missing');

const textType = 'text/plain; charset=utf-8';

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

export const logRoutes: readonly Route[] = jobPaths().flatMap((path) => [
  route('GET', `${path}/log`, { scope: 'read_build_logs', jobs: true }, (call, service) =>
    negotiate(service, call),
  ),
  route('GET', `${path}/log.json`, { scope: 'read_build_logs', jobs: true }, (call, service) =>
    object(service, call),
  ),
  route('GET', `${path}/log.txt`, { scope: 'read_build_logs', jobs: true }, (call, service) =>
    plain(service, call),
  ),
  route('GET', `${path}/log.html`, { scope: 'read_build_logs', jobs: true }, (call, service) =>
    html(service, call),
  ),
  route('DELETE', `${path}/log`, 'write_build_logs', (call, service) => remove(service, call)),
]);

/** HEAD returns the length of the log itself, as in the public service. */
function negotiate(service: ServiceContext, call: Call): RouteResponse | Promise<RouteResponse> {
  if (call.isHead) return plain(service, call);
  if (accepts(call, 'text/plain')) return plain(service, call);
  return accepts(call, 'text/html') ? html(service, call) : object(service, call);
}

interface JobWithLog extends LocatedJob {
  /** Bytes at the time of the request; later output is omitted. */
  readonly size: number;
}

async function findLog(service: ServiceContext, call: Call): Promise<JobWithLog> {
  const location = findJob(service, call);
  const size = await service.logs.size(location.job.id);
  if (size === undefined) throw noLog(service, location);
  return { ...location, size };
}

async function object(service: ServiceContext, call: Call): Promise<RouteResponse> {
  const { organization, pipeline, build, job, size } = await findLog(service, call);
  const url = `${service.urls.job(organization.slug, pipeline.slug, build.number, job.id)}/log`;
  const content = service.logs.read(job.id, { start: 0, end: size });
  return bytes(
    'application/json; charset=utf-8',
    logJson(url, content, size, service.store.headerTimes.ofJob(job.id)),
  );
}

async function plain(service: ServiceContext, call: Call): Promise<RouteResponse> {
  const { job, size } = await findLog(service, call);
  const range = call.isHead ? undefined : rangeOf(call.header('range'), size);
  if (range === 'unsatisfiable')
    throw new ApiError(416, 'The log has no such range', {
      headers: { 'content-range': `bytes */${size}` },
    });
  const { start, end } = range ?? { start: 0, end: size };
  const headers: Record<string, string> = {
    'accept-ranges': 'bytes',
    'content-length': String(end - start),
  };
  if (range !== undefined) headers['content-range'] = `bytes ${start}-${end - 1}/${size}`;
  const status = range === undefined ? 200 : 206;
  return bytes(textType, service.logs.read(job.id, { start, end }), { status, headers });
}

async function html(service: ServiceContext, call: Call): Promise<RouteResponse> {
  const { job, size } = await findLog(service, call);
  const { logHtml } = await import('../log-html.ts');
  const content = service.logs.read(job.id, { start: 0, end: size });
  // If it is opened in a browser, it must not run anything.
  const headers = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" };
  return bytes('text/html; charset=utf-8', logHtml(content), { headers });
}

async function remove(service: ServiceContext, call: Call): Promise<RouteResponse> {
  const { job } = await findLog(service, call);
  if (isWithAgent(job)) throw refused('The log of a job that is running cannot be deleted');
  const deleteLog = () => service.logs.delete(job.id);
  // Some file systems need space to free space.
  await deleteLog().catch(() => service.reserve.use(deleteLog));
  return empty();
}

/**
 * Streams the JSON object, since a log may exceed the maximum length of a string. `header_times`
 * are nanoseconds, which exceed JavaScript's integers. `timesBeside` is used if the log has no
 * marks.
 */
async function* logJson(
  url: string,
  content: AsyncIterable<Uint8Array>,
  size: number,
  timesBeside: readonly string[],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const headers = createHeaderTimes();
  yield encoder.encode(`{"url":${JSON.stringify(url)},"content":"`);
  for await (const chunk of content) {
    const text = decoder.decode(chunk, { stream: true });
    headers.push(text);
    yield encoder.encode(escaped(text));
  }
  const rest = decoder.decode();
  headers.push(rest);
  const marks = headers.end().map((time) => `${time}000000`);
  const times = marks.length > 0 ? marks : timesBeside;
  yield encoder.encode(`${escaped(rest)}","size":${size},"header_times":[${times.join()}]}`);
}

// Times of log sections, from the time marks of their lines.

interface HeaderTimes {
  push(text: string): void;
  /** Milliseconds, one per header with a mark. */
  end(): string[];
}

/** Header lines have fewer than 500 characters, plus marks. */
const longest = 1000;

function createHeaderTimes(): HeaderTimes {
  const times: string[] = [];
  let line = '';
  const finish = (): void => {
    const time = headerTime(line);
    if (time !== undefined) times.push(time);
    line = '';
  };
  return {
    push: (text) => {
      let from = 0;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        line = cut(line + text.slice(from, Math.min(at, from + longest)));
        finish();
        from = at + 1;
      }
      line = cut(line + text.slice(from, from + longest));
    },
    end: () => {
      finish();
      return times;
    },
  };
}

const cut = (line: string): string => line.slice(0, longest);

function headerTime(line: string): string | undefined {
  const mark = /\x1b_bk;(?:[^\x07\x1b]*;)?t=(\d{1,15})[^\x07\x1b]*(?:\x07|\x1b\\)/.exec(line);
  if (mark === null) return undefined;
  const plain = line.replace(/\x1b_[^\x07\x1b]*(?:\x07|\x1b\\)/g, '').trimEnd();
  return /^(?:---|\+\+\+|~~~) \S/.test(plain) && plain.length < 500 ? mark[1] : undefined;
}
