import { keepForms, parseKeep, type Keep } from '../../../pruner.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { refused } from '../../api-error.ts';
import { objectOf, bodyReader } from '../../body-reader.ts';
import { json } from '../../response.ts';
import { route, type Route } from '../../route.ts';

const admin = { audience: 'admin' } as const;

/** Builds that one call removes at most: who calls asks again while there are more. */
const mostBuilds = 200;

/** The same on a full disk, where they must fit in the space that was released. */
const mostOnFullDisk = 20;

/** What stays of old builds (`admin.ts` lists all routes under `/local/v1`). */
export const pruneRoutes: readonly Route[] = [
  route(
    'PATCH',
    '/local/v1/settings',
    null,
    async (call, { pruning }) => {
      const members = bodyReader(objectOf(await call.body()));
      const keep = members.text('keep') ?? null;
      members.done();
      if (keep !== null) keepOf(keep);
      pruning.set(keep);
      return json({ keep });
    },
    admin,
  ),
  route(
    'POST',
    '/local/v1/prune',
    null,
    async (call, service) => {
      const members = bodyReader(objectOf(await call.body()));
      const keep = keepOf(members.text('keep') ?? keptBy(service));
      members.done();
      const { store, pruner, reserve } = service;
      return reserve.use(async (isFull) => {
        // Each change needs the space of the changes before it.
        if (isFull) store.checkpoint();
        const most = isFull ? mostOnFullDisk : mostBuilds;
        const removed = await pruner.prune(keep, most);
        return json({ removed, more: removed === most });
      });
    },
    admin,
  ),
];

function keptBy({ store }: ServiceContext): string {
  const keep = store.settings.get('keep');
  if (keep === null) throw refused('Nothing says how much is to be kept');
  return keep;
}

function keepOf(text: string): Keep {
  const keep = parseKeep(text);
  if (keep === undefined) throw refused(`keep must be ${keepForms}`);
  return keep;
}
