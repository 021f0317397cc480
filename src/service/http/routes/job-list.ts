/** Beyond the specification: the jobs of a build by themselves, and one of them. */
import type { ServiceContext } from '../../service-context.ts';
import { isCurrent } from '../../domain/job-states.ts';
import type { Job, Tree } from '../../domain/records.ts';
import { json } from '../response.ts';
import { badRequest } from '../api-error.ts';
import { cursorPage } from '../cursor-page.ts';
import { findBuild, findJob, treeOf } from '../lookups.ts';
import { presentJob } from '../present/job.ts';
import { boolean, texts } from '../query-parameters.ts';
import { route, type Route } from '../route.ts';
import { jobPaths } from './jobs.ts';

const ofBuild = '/v2/organizations/:org/pipelines/:pipeline/builds/:number/jobs';

export const jobListRoutes: readonly Route[] = [
  route('GET', ofBuild, 'read_builds', (call, service) => {
    const location = findBuild(service, call);
    const tree = treeOf(service, location.build);
    const holds = wanted(call.query, tree);
    const present = (job: Job): object =>
      presentJob(service, location, tree, job, { single: true });
    return json(cursorPage(call, tree.jobs, holds, present));
  }),
  // Clients follow addresses, and a step names the one that unblocks it.
  ...jobPaths()
    .flatMap((path) => [path, `${path}/unblock` as const])
    .map((path) =>
      route('GET', path, 'read_builds', (call, service: ServiceContext) => {
        const location = findJob(service, call);
        return json(presentJob(service, location, location.tree, location.job, { single: true }));
      }),
    ),
];

/** All attempts, unless only the newest are wanted: the opposite of a build's own list. */
function wanted(query: URLSearchParams, tree: Tree): (job: Job) => boolean {
  const states = texts(query, 'state');
  const unknown = states?.find((state) => !jobStates.includes(state));
  if (unknown !== undefined) throw badRequest(`There is no job state ${unknown}`);
  const stepKey = query.get('step_key');
  const newest = query.has('include_retried_jobs') && !boolean(query.get('include_retried_jobs'));
  const groupKey = query.get('group_key');
  return (job) =>
    (!groupKey || tree.plan.steps[job.step]?.group?.key === groupKey) &&
    (!newest || isCurrent(job)) &&
    (states?.includes(job.state) ?? true) &&
    (!stepKey || tree.plan.steps[job.step]?.key === stepKey);
}

/** Of the public service, more than there are here. */
const jobStates = [
  ...['pending', 'waiting', 'waiting_failed', 'blocked', 'blocked_failed', 'unblocked'],
  ...['unblocked_failed', 'limiting', 'limited', 'scheduled', 'reserved', 'assigned', 'accepted'],
  ...['running', 'passed', 'failed', 'timing_out', 'timed_out', 'canceling', 'canceled'],
  ...['skipped', 'broken', 'expired'],
];
