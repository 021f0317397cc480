/** Specification, "Jobs": retry, unblock and environment; `logs.ts` has the logs. */
import type { ServiceContext } from '../../service-context.ts';
import { retryJob } from '../../domain/retry.ts';
import type { Tree } from '../../domain/records.ts';
import { unblockJob } from '../../domain/unblock.ts';
import { json, text, type RouteResponse } from '../response.ts';
import { notFound } from '../api-error.ts';
import { readUnblocking } from '../bodies/unblocking.ts';
import { dotenv } from '../dotenv.ts';
import { shownEnvironment } from '../job-environment.ts';
import { findJob, type JobCall, type LocatedJob, type ShortJobCall } from '../lookups.ts';
import { presentJob } from '../present/job.ts';
import { route, type Route } from '../route.ts';
import { accepts } from '../accept.ts';

type AnyJobCall = JobCall | ShortJobCall;

export const jobRoutes: readonly Route[] = jobPaths().flatMap((path) => [
  route('PUT', `${path}/retry`, 'write_builds', (call, service) =>
    retry(service, call as AnyJobCall),
  ),
  route('PUT', `${path}/unblock`, 'write_builds', (call, service) =>
    unblock(service, call as AnyJobCall),
  ),
  route('GET', `${path}/env`, 'read_job_env', async (call, service) => {
    const env = await findEnv(service, call);
    return accepts(call, 'text/plain') ? text(dotenv(env)) : json({ env });
  }),
  route('GET', `${path}/env.txt`, 'read_job_env', async (call, service) =>
    text(dotenv(await findEnv(service, call as AnyJobCall))),
  ),
]);

/** The path of the specification, and the short one that some clients use. */
export function jobPaths() {
  return [
    '/v2/organizations/:org/pipelines/:pipeline/builds/:number/jobs/:job',
    '/v2/organizations/:org/jobs/:job',
  ] as const;
}

function retry(service: ServiceContext, call: AnyJobCall): RouteResponse {
  const location = findJob(service, call);
  const { clock, newId } = service;
  const tree = service.engine.change(location.build.id, (before) =>
    retryJob(before, location.job.id, clock.now(), newId),
  );
  const old = tree.jobs.find(({ id }) => id === location.job.id);
  return jobResponse(service, location, tree, old?.retriedInJobId ?? '');
}

async function unblock(service: ServiceContext, call: AnyJobCall): Promise<RouteResponse> {
  const location = findJob(service, call);
  const unblocking = readUnblocking(service, location.organization, call.caller, await call.body());
  const tree = service.engine.change(location.build.id, (before) =>
    unblockJob(before, location.job.id, unblocking, service.clock.now()),
  );
  return jobResponse(service, location, tree, location.job.id);
}

function jobResponse(
  service: ServiceContext,
  location: LocatedJob,
  tree: Tree,
  jobId: string,
): RouteResponse {
  const job = tree.jobs.find(({ id }) => id === jobId);
  if (job === undefined) throw notFound('job');
  return json(presentJob(service, location, tree, job, { single: true }));
}

async function findEnv(service: ServiceContext, call: AnyJobCall): Promise<Record<string, string>> {
  const { tree, job } = findJob(service, call);
  return job.type === 'script' ? shownEnvironment(service, tree, job) : {};
}
