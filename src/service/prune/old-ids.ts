import type { OldPart } from '../store/old-builds.ts';
import type { Store } from '../store/store.ts';
import type { Keep } from './keep.ts';

/** Builds looked at in one turn. */
const mostLookedAt = 500;

/** Ids of the builds that are not to be kept, the oldest first, in parts; a part may be empty. */
export function* oldIds(
  { oldBuilds, pipelines, accounts }: Pick<Store, 'oldBuilds' | 'pipelines' | 'accounts'>,
  keep: Keep,
  now: number,
): Generator<readonly string[]> {
  if ('age' in keep) {
    yield* parts((from) => oldBuilds.finishedBefore(now - keep.age, from, mostLookedAt));
    return;
  }
  for (const organization of accounts.organizations())
    for (const { id } of pipelines.list(organization.id))
      yield* parts((from) => oldBuilds.beforeNewest(id, keep.newest, from, mostLookedAt));
}

function* parts(read: (from: number) => OldPart): Generator<readonly string[]> {
  for (let from: number | null = 0; from !== null;) {
    const part: OldPart = read(from);
    yield part.ids;
    from = part.next;
  }
}
