import { locationOf } from '../../lookups.ts';
import { admin, route, type Route } from '../../route.ts';
import type { BuildChanges } from '../../../admin.ts';
import { findJob } from '../../../domain/find-job.ts';
import type { Tree } from '../../../domain/records.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { startTimer } from '../../../../common/clock.ts';
import { notFound, outOfOrder } from '../../api-error.ts';
import { agentPresenter } from '../../present/agent.ts';
import { agentWaits, presentJob } from '../../present/job.ts';
import { presentBuild } from '../../present/build.ts';
import { json } from '../../response.ts';

const longestWait = 400;
/** Milliseconds during which changes are collected, to send them together. */
const gatherTime = 100;

const view = { single: true, mayEdit: true, includeRetriedJobs: true };

export const changeRoutes: readonly Route[] = [
  route('GET', '/local/v1/builds/:build/changes', admin, async ({ params, query }, service) => {
    const after = query.get('after');
    const seen = after === null ? null : Number(after);
    if (seen !== null) await gather(service, params.build, seen);
    return json(changesSince(service, params.build, seen));
  }),
];

async function gather({ engine, store }: ServiceContext, id: string, seen: number): Promise<void> {
  const isOver = (): boolean => (store.builds.tree(id)?.build.finishedAt ?? null) !== null;
  if (isOver()) return;
  if (engine.feed.since(id, seen).jobIds?.length === 0) await engine.feed.next(id, longestWait);
  const later = new Promise<'later'>((resolve) => startTimer(gatherTime, () => resolve('later')));
  while (!isOver() && engine.storageError() === null) {
    const next = engine.feed.next(id, gatherTime);
    if ((await Promise.race([next, later])) === 'later') return;
  }
}

function changesSince(service: ServiceContext, id: string, seen: number | null): BuildChanges {
  const tree = service.store.builds.tree(id);
  if (tree === undefined) throw notFound('build');
  const fault = service.engine.storageError();
  // The build cannot finish while the store is not writable.
  if (fault !== null && tree.build.finishedAt === null) throw outOfOrder(fault);
  const location = locationOf(service, tree.build);
  const { version, jobIds } = service.engine.feed.since(id, seen);
  const build = presentBuild(service, location, tree, { ...view, excludeJobs: jobIds !== null });
  if (jobIds === null) return { version, build };
  const presentAgent = agentPresenter(service, location.organization, view);
  const waitsOf = agentWaits(service);
  const ids = [...new Set([...jobIds, ...waitingIds(tree)])];
  const found = ids.flatMap((jobId) => findJob(tree, jobId) ?? []);
  const jobs = found.map((job) =>
    presentJob(service, location, tree, job, view, presentAgent, waitsOf),
  );
  const withoutLog = found.map((job) => job.id).filter((jobId) => service.logs.isEmpty(jobId));
  return { version, build, jobs, withoutLog };
}

/** A scheduled job may start or stop waiting for agents without any change to the job itself. */
function waitingIds({ build, jobs }: Tree): string[] {
  if (build.options.runsOn !== 'agents' || build.finishedAt !== null) return [];
  const waiting = jobs.filter(({ state }) => state === 'scheduled');
  return waiting.slice(0, mostWaiting).map(({ id }) => id);
}

const mostWaiting = 50;
