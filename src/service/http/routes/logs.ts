import { jsonType, bytes, empty, type RouteResponse } from '../response.ts';
import { rangeResponse, rangeOf } from '../byte-range.ts';
import { isWithAgent } from '../../domain/job-states.ts';
import type { ServiceContext } from '../../service-context.ts';
import { accepts, route, type Call, type Route } from '../route.ts';
import { ApiError, notFound, refused } from '../api-error.ts';
import { findJob, type LocatedJob } from '../lookups.ts';
import { jobPaths } from './jobs.ts';

/** Every command job that has started has a log file, unless its log was deleted. */
const noLog = ({ logs }: ServiceContext, { job }: LocatedJob): ApiError =>
  job.type !== 'script' || job.startedAt === null || logs.wasDeleted(job.id)
    ? notFound('log')
    : new ApiError(404, 'No log found: the log file is missing');

const read = { scope: 'read_build_logs', jobs: true } as const;

export const logRoutes: readonly Route[] = jobPaths().flatMap((path) => [
  // For a HEAD request, returns the length of the log text, as in the public service.
  route('GET', `${path}/log`, read, (call, service) => {
    if (call.isHead || accepts(call, 'text/plain')) return plain(call, service);
    return accepts(call, 'text/html') ? html(call, service) : object(call, service);
  }),
  route('GET', `${path}/log.json`, read, object),
  route('GET', `${path}/log.txt`, read, plain),
  route('GET', `${path}/log.html`, read, html),
  route('DELETE', `${path}/log`, 'write_build_logs', remove),
]);

/** `size` is the number of bytes at the time of the request. Later output is not sent. */
async function findLog(service: ServiceContext, call: Call) {
  const location = findJob(service, call);
  const size = await service.logs.size(location.job.id);
  if (size === undefined) throw noLog(service, location);
  return { ...location, size };
}

async function object(call: Call, service: ServiceContext): Promise<RouteResponse> {
  const { organization, pipeline, build, job, size } = await findLog(service, call);
  const url = `${service.urls.job(organization.slug, pipeline.slug, build.number, job.id)}/log`;
  const content = service.logs.read(job.id, { start: 0, end: size });
  return bytes(jsonType, logJson(url, content, size, service.store.headerTimes.ofJob(job.id)));
}

async function plain(call: Call, service: ServiceContext): Promise<RouteResponse> {
  const { job, size } = await findLog(service, call);
  const range = call.isHead ? undefined : rangeOf(call.header('range'), size);
  if (range === 'unsatisfiable')
    throw new ApiError(416, 'The requested range is outside the log', {
      headers: { 'content-range': `bytes */${size}` },
    });
  const content = service.logs.read(job.id, range ?? { start: 0, end: size });
  const part = range === undefined ? null : { first: range.start, last: range.end - 1 };
  return bytes('text/plain; charset=utf-8', content, rangeResponse(size, part));
}

async function html(call: Call, service: ServiceContext): Promise<RouteResponse> {
  const { job, size } = await findLog(service, call);
  const { logHtml } = await import('../log-html.ts');
  const content = service.logs.read(job.id, { start: 0, end: size });
  // Scripts in the log must not run if a browser opens it.
  const headers = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" };
  return bytes('text/html; charset=utf-8', logHtml(content), { headers });
}

async function remove(call: Call, service: ServiceContext): Promise<RouteResponse> {
  const { job } = await findLog(service, call);
  if (isWithAgent(job)) throw refused('The log of a running job cannot be deleted');
  const deleteLog = () => service.logs.delete(job.id);
  // Some file systems need free space to delete a file.
  await deleteLog().catch(() => service.reserve.use(deleteLog));
  return empty();
}

/**
 * Streams the JSON object, because a log may exceed the maximum length of a string. `header_times`
 * are in nanoseconds, which JavaScript numbers cannot represent exactly. If the log contains no
 * times, uses `timesBeside`.
 */
async function* logJson(
  url: string,
  content: AsyncIterable<Uint8Array>,
  size: number,
  timesBeside: readonly string[],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  const headers = createHeaderTimes();
  yield encoder.encode(`{"url":${JSON.stringify(url)},"content":"`);
  for await (const chunk of content) {
    const text = decoder.decode(chunk, { stream: true });
    headers.push(text);
    yield encoder.encode(escaped(text));
  }
  const rest = decoder.decode();
  headers.push(`${rest}\n`);
  const marks = headers.times.map((time) => `${time}000000`);
  const times = marks.length > 0 ? marks : timesBeside;
  yield encoder.encode(`${escaped(rest)}","size":${size},"header_times":[${times.join()}]}`);
}

/** Maximum length of a header line: fewer than 500 characters, plus time markers. */
const longest = 1000;

/** Collects the start times of log sections (in milliseconds) from the markers in their lines. */
function createHeaderTimes() {
  const times: string[] = [];
  let line = '';
  const push = (text: string): void => {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      const time = headerTime(cut(line + text.slice(from, Math.min(at, from + longest))));
      if (time !== undefined) times.push(time);
      line = '';
      from = at + 1;
    }
    line = cut(line + text.slice(from, from + longest));
  };
  return { push, times };
}

const cut = (line: string): string => line.slice(0, longest);

function headerTime(line: string): string | undefined {
  const mark = /\x1b_bk;(?:[^\x07\x1b]*;)?t=(\d{1,15})[^\x07\x1b]*(?:\x07|\x1b\\)/.exec(line);
  if (mark === null) return undefined;
  const plain = line.replace(/\x1b_[^\x07\x1b]*(?:\x07|\x1b\\)/g, '').trimEnd();
  return /^(?:---|\+\+\+|~~~) \S/.test(plain) && plain.length < 500 ? mark[1] : undefined;
}
