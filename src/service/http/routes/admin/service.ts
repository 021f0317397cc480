import { pid } from 'node:process';
import { bodyReader } from '../../body-reader.ts';
import { unmetDemands } from '../../present/job.ts';
import { json } from '../../response.ts';
import { admin, route, type Route } from '../../route.ts';
import { keepForms, parseKeep, type Keep } from '../../../pruner.ts';
import { attempt } from '../../../../common/attempt.ts';
import { refused } from '../../api-error.ts';

/** All routes below `/local/v1` are listed in `admin.ts`. */
export const serviceRoutes: readonly Route[] = [
  route('GET', '/local/v1/status', admin, (_, service) => {
    const { urls, engine, attachedRuns, readers, store, listen, tags = null } = service;
    const others = engine.agents.present().filter(({ agent }) => agent.state === 'connected');
    // The slots count as agents, as in the list of agents and in the metrics.
    const agents = [...engine.slots, ...others];
    const running = agents.filter(({ jobId }) => jobId !== null).length;
    const scheduled = store.builds.jobsIn('scheduled').length;
    return json({
      ...{ url: urls.base, pid, slots: engine.slots.length, agents: agents.length },
      ...{ running, scheduled, guests: attachedRuns.count(), fault: engine.storageError() },
      waiting_for_agents: unmetDemands(service),
      ...{ tags, listen: listen?.url ?? null, public_url: listen?.publicUrl ?? null },
      keep: store.settings.get('keep'),
      read_ago: readers.sinceLast(),
    });
  }),
  route('POST', '/local/v1/attached-runs', admin, async (call, { attachedRuns }) => {
    const members = bodyReader(await call.body());
    const attached = members.integer('pid') ?? 0;
    members.done();
    return attachedRuns.add(attached)
      ? json({ pid: attached }, 201)
      : json({ message: 'The service is shutting down' }, 503);
  }),
  route('POST', '/local/v1/down', admin, (_, { down }) => {
    down();
    return json({ message: 'The service is shutting down' }, 202);
  }),
];

/** Maximum number of builds to remove per request. Clients repeat the request to remove more. */
const mostBuilds = { usual: 200, onFullDisk: 20 };

export const pruneRoutes: readonly Route[] = [
  route('PATCH', '/local/v1/settings', admin, async (call, { pruning }) => {
    const members = bodyReader(await call.body());
    const keep = members.text('keep') ?? null;
    members.done();
    if (keep !== null) keepOf(keep);
    pruning.set(keep);
    return json({ keep });
  }),
  route('POST', '/local/v1/prune', admin, async (call, service) => {
    const members = bodyReader(await call.body());
    const { store, pruner, reserve } = service;
    const given = members.text('keep') ?? store.settings.get('keep');
    if (given === null)
      throw refused('keep is required, because no default was set (local up --keep)');
    const keep = keepOf(given);
    members.done();
    return reserve.use(async (isFull) => {
      const checkpoint = () => isFull && attempt(() => store.checkpoint());
      checkpoint();
      try {
        const most = isFull ? mostBuilds.onFullDisk : mostBuilds.usual;
        const removed = await pruner.prune(keep, most);
        return json({ removed, more: removed === most });
      } finally {
        // Even after a failure, frees the disk space of the write-ahead log for the next change.
        checkpoint();
      }
    });
  }),
];

function keepOf(text: string): Keep {
  const keep = parseKeep(text);
  if (keep === undefined) throw refused(`keep must be ${keepForms}`);
  return keep;
}
