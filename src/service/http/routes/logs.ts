/** Specification, "Jobs": the log as an object, as text and as HTML. */
import { isWithAgent } from '../../domain/end-job.ts';
import type { ServiceContext } from '../../service-context.ts';
import { accepts } from '../accept.ts';
import { bytes, empty, type RouteResponse } from '../response.ts';
import { ApiError, notFound, refused } from '../api-error.ts';
import { findJob, type LocatedJob } from '../lookups.ts';
import { logJson } from '../log-json.ts';
import { rangeOf } from '../range.ts';
import { route, type Call, type Route } from '../route.ts';
import { jobPaths } from './jobs.ts';

const own = { jobs: true };

export const logRoutes: readonly Route[] = jobPaths().flatMap((path) => [
  route('GET', `${path}/log`, 'read_build_logs', (call, service) => negotiate(service, call), own),
  route(
    'GET',
    `${path}/log.json`,
    'read_build_logs',
    (call, service) => object(service, call),
    own,
  ),
  route('GET', `${path}/log.txt`, 'read_build_logs', (call, service) => plain(service, call), own),
  route('GET', `${path}/log.html`, 'read_build_logs', (call, service) => html(service, call), own),
  route('DELETE', `${path}/log`, 'write_build_logs', (call, service) => remove(service, call)),
]);

/** HEAD describes the log itself, as the public service has it: clients ask so how long it is. */
function negotiate(service: ServiceContext, call: Call): RouteResponse | Promise<RouteResponse> {
  if (call.isHead) return plain(service, call);
  if (accepts(call, 'text/plain')) return plain(service, call);
  return accepts(call, 'text/html') ? html(service, call) : object(service, call);
}

interface JobWithLog extends LocatedJob {
  /** Bytes at the moment of the request; what comes later is left out. */
  readonly size: number;
}

async function findLog(service: ServiceContext, call: Call): Promise<JobWithLog> {
  const location = findJob(service, call);
  const size = await service.logs.size(location.job.id);
  if (size === undefined) throw noLog(service, location);
  return { ...location, size };
}

/** Every command that has started has a log file, until the log is deleted. */
const noLog = ({ logs }: ServiceContext, { job }: LocatedJob): ApiError =>
  job.type !== 'script' || job.startedAt === null || logs.wasDeleted(job.id)
    ? notFound('log')
    : new ApiError(404, 'No log found: its file is missing');

async function object(service: ServiceContext, call: Call): Promise<RouteResponse> {
  const { organization, pipeline, build, job, size } = await findLog(service, call);
  const url = `${service.urls.job(organization.slug, pipeline.slug, build.number, job.id)}/log`;
  const content = service.logs.read(job.id, { start: 0, end: size });
  return bytes(
    'application/json; charset=utf-8',
    logJson(url, content, size, service.store.headerTimes.ofJob(job.id)),
  );
}

const textType = 'text/plain; charset=utf-8';

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
  // Opened in a browser, it must not be able to do anything here.
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
