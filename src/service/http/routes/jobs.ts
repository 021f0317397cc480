// See "Jobs" in the specification. Logs are in `logs.ts`.
import type { ServiceContext } from '../../service-context.ts';
import { retryJob } from '../../domain/retry.ts';
import type { Tree, Job, Organization } from '../../domain/records.ts';
import { unblockJob, type Unblocking } from '../../domain/unblock.ts';
import { json, text, type RouteResponse } from '../response.ts';
import { notFound, badRequest, refused } from '../api-error.ts';
import {
  findJob,
  type JobCall,
  type LocatedJob,
  type ShortJobCall,
  findBuild,
} from '../lookups.ts';
import { presentJob } from '../present/job.ts';
import { route, type Route, accepts, type Caller } from '../route.ts';
import { isCurrent } from '../../domain/job-states.ts';
import { cursorPage } from '../paging.ts';
import { boolean, texts } from '../query-parameters.ts';
import { hasNul, isObject, bodyReader, withoutNul } from '../body-reader.ts';
import { environmentOf, remoteEnvironment } from '../../scheduler/environment.ts';
import { codeFor } from '../../snapshots/code-for.ts';

type AnyJobCall = JobCall | ShortJobCall;

export const jobRoutes: readonly Route[] = jobPaths().flatMap((path) => [
  route('PUT', `${path}/retry`, 'write_builds', retry),
  route('PUT', `${path}/unblock`, 'write_builds', unblock),
  route('GET', `${path}/env`, 'read_job_env', async (call, service) => {
    const env = await findEnv(service, call);
    return accepts(call, 'text/plain') ? text(dotenv(env)) : json({ env });
  }),
  route('GET', `${path}/env.txt`, 'read_job_env', async (call, service) =>
    text(dotenv(await findEnv(service, call))),
  ),
]);

/** The path in the specification, and a shorter path that some clients use. */
export function jobPaths() {
  return [
    '/v2/organizations/:org/pipelines/:pipeline/builds/:number/jobs/:job',
    '/v2/organizations/:org/jobs/:job',
  ] as const;
}

function retry(call: AnyJobCall, service: ServiceContext): RouteResponse {
  const location = findJob(service, call);
  const { clock, newId } = service;
  const tree = service.engine.change(location.build.id, (before) =>
    retryJob(before, location.job.id, clock.now(), newId),
  );
  const old = tree.jobs.find(({ id }) => id === location.job.id);
  return jobResponse(service, location, tree, old?.retriedInJobId ?? '');
}

async function unblock(call: AnyJobCall, service: ServiceContext): Promise<RouteResponse> {
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

const jobStates = [
  ...['pending', 'waiting', 'waiting_failed', 'blocked', 'blocked_failed', 'unblocked'],
  ...['unblocked_failed', 'limiting', 'limited', 'scheduled', 'reserved', 'assigned', 'accepted'],
  ...['running', 'passed', 'failed', 'timing_out', 'timed_out', 'canceling', 'canceled'],
  ...['skipped', 'broken', 'expired'],
];

const ofBuild = '/v2/organizations/:org/pipelines/:pipeline/builds/:number/jobs';

// The list of jobs and single jobs, which are not in the specification.
export const jobListRoutes: readonly Route[] = [
  route('GET', ofBuild, 'read_builds', (call, service) => {
    const location = findBuild(service, call);
    const tree = service.store.builds.treeOf(location.build);
    const present = (job: Job): object =>
      presentJob(service, location, tree, job, { single: true });
    return json(cursorPage(call, tree.jobs, wanted(call.query, tree), present));
  }),
  // Clients send GET requests to URLs in responses, including `unblock_url`.
  ...jobPaths()
    .flatMap((path) => [path, `${path}/unblock` as const])
    .map((path) =>
      route('GET', path, 'read_builds', (call, service: ServiceContext) => {
        const location = findJob(service, call);
        return jobResponse(service, location, location.tree, location.job.id);
      }),
    ),
];

/** Includes retried jobs by default, unlike a build's own list of jobs. */
function wanted(query: URLSearchParams, tree: Tree): (job: Job) => boolean {
  const states = texts(query, 'state');
  const unknown = states?.find((state) => !jobStates.includes(state));
  if (unknown !== undefined) throw badRequest(`Unknown job state ${unknown}`);
  const stepKey = query.get('step_key');
  const newest = query.has('include_retried_jobs') && !boolean(query.get('include_retried_jobs'));
  const groupKey = query.get('group_key');
  return (job) =>
    (!groupKey || tree.plan.steps[job.step]?.group?.key === groupKey) &&
    (!newest || isCurrent(job)) &&
    (states?.includes(job.state) ?? true) &&
    (!stepKey || tree.plan.steps[job.step]?.key === stepKey);
}

/** Throws `ApiError` 422 for an invalid body or an unblocker outside the organization. */
export function readUnblocking(
  { store }: ServiceContext,
  organization: Organization,
  caller: Caller,
  body: unknown,
): Unblocking {
  const members = bodyReader(body);
  const unblocker = members.text('unblocker');
  const fields = Object.fromEntries(
    Object.entries(members.object('fields') ?? {})
      .filter(([, value]) => value !== null && !isObject(value))
      .map(([key, value]) => [key, Array.isArray(value) ? value.map(String) : String(value)]),
  );
  if (Object.entries(fields).flat(2).some(hasNul)) members.reject('fields', withoutNul('fields'));
  members.done();
  if (unblocker !== undefined && store.accounts.role(unblocker, organization.id) === undefined)
    throw refused('Unblocker is not a valid user id for this organization');
  return { userId: unblocker ?? caller.user?.id ?? null, fields };
}

/** The environment without tokens. For a job on a remote agent, as it was sent to the agent. */
export async function shownEnvironment(
  service: ServiceContext,
  tree: Tree,
  job: Job,
): Promise<Record<string, string>> {
  const agent = job.agent?.remote === true ? service.store.agents.byId(job.agent.id) : undefined;
  if (agent === undefined)
    return environmentOf({ ...service, tags: service.engine.slotTags }, tree, job);
  const step = tree.plan.steps[job.step];
  const isWithoutCode = step?.type === 'command' && step.skipCheckout;
  // If the source code is unavailable, the job's log contains the reason.
  const code = isWithoutCode
    ? undefined
    : await codeFor(service, tree, agent, service.urls.base).catch(() => undefined);
  return remoteEnvironment(service, tree, job, agent, code?.env ?? {});
}

/** `KEY=VALUE` lines, quoted as most dotenv parsers expect. Only JSON is exact for all values. */
const dotenv = (env: Readonly<Record<string, string>>): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${quote(value)}\n`)
    .join('');

function quote(value: string): string {
  if (/^[\w@%+:,./-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replace(/[\\"$`]/g, '\\$&')}"`;
}
