import { nextTurn, startTimer, type Clock } from '../common/clock.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import type { ArtifactFiles } from './store/artifact-files.ts';
import type { Logs } from './store/logs.ts';
import type { OldPart, RemovedBuild } from './store/old-builds.ts';
import type { Store } from './store/store.ts';

/** Which builds to keep: finished at most `age` ms ago, or the last `newest` of each pipeline. */
export type Keep = { readonly age: number } | { readonly newest: number };

const units: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export const keepForms = 'an age such as 90d, 12w or 36h, or a number of builds per pipeline';

export function parseKeep(text: string): Keep | undefined {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,5})([hdw]?)$/.exec(text) ?? [];
  if (digits === '') return undefined;
  const size = units[unit];
  return size === undefined ? { newest: Number(digits) } : { age: Number(digits) * size };
}

export interface Pruner {
  /** Removes at most `most` builds without blocking other requests. Returns the number removed. */
  prune(keep: Keep, most?: number): Promise<number>;
  removeBuildsOf(pipelineId: string): Promise<void>;
  /** Removes the files of builds that were being removed when the service was killed. */
  removeLeftovers(): Promise<void>;
  /** Stops removing builds after the current step. */
  close(): Promise<void>;
}

export interface PrunerParts {
  readonly store: Store;
  readonly logs: Logs;
  readonly artifactFiles: ArtifactFiles;
  readonly snapshots: Pick<Snapshots, 'remove'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Builds per transaction. A transaction takes about ten milliseconds. */
const mostAtOnce = 20;

/** Removes rows, then files, then the record of the files, which lists leftovers after a kill. */
export function createPruner({ store, clock, ...files }: PrunerParts): Pruner {
  let isClosed = false;
  let pending: Promise<unknown> = Promise.resolve();
  async function removeFiles(builds: readonly RemovedBuild[]): Promise<void> {
    for (const { buildId, jobIds } of builds) {
      for (const id of jobIds) await files.logs.remove(id);
      await files.artifactFiles.removeBuild(buildId);
      await files.snapshots.remove(buildId);
    }
    store.oldBuilds.filesGone(builds.map(({ buildId }) => buildId));
  }
  async function remove(builds: readonly RemovedBuild[]): Promise<void> {
    const removeRows = () => store.transaction(() => builds.forEach(store.oldBuilds.remove));
    try {
      removeRows();
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SQLITE_FULL') throw error;
      // The disk is full. Removing files and the write-ahead log frees space for the transaction.
      await removeFiles(builds);
      store.checkpoint();
      removeRows();
    }
    await removeFiles(builds);
  }
  async function shrinkDatabase(): Promise<void> {
    while (!isClosed && store.freePages.giveBack()) await nextTurn();
  }
  async function prune(keep: Keep, most: number): Promise<number> {
    let count = 0;
    for (const part of oldIds(store, keep, clock.now())) {
      for (let ids = part; ids.length > 0;) {
        if (isClosed || count >= most) return count;
        const some = ids.slice(0, Math.min(mostBuilds, most - count));
        const { unused, checked } = findUnused(store, some);
        await remove(unused);
        count += unused.length;
        ids = ids.slice(checked);
        await nextTurn();
      }
    }
    await shrinkDatabase();
    return count;
  }
  async function removeBuildsOf(pipelineId: string): Promise<void> {
    for (;;) {
      const ids = isClosed ? [] : store.oldBuilds.ofPipeline(pipelineId, mostAtOnce);
      if (ids.length === 0) return shrinkDatabase();
      await remove(ids.map(store.oldBuilds.find));
      await nextTurn();
    }
  }
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = pending.then(work, work);
    pending = result.catch(() => undefined);
    return result;
  };
  return {
    prune: (keep, most = Infinity) => inOrder(() => prune(keep, most)),
    removeBuildsOf: (pipelineId) => inOrder(() => removeBuildsOf(pipelineId)),
    removeLeftovers: () =>
      inOrder(async () => {
        for (const removed of store.oldBuilds.removed()) {
          if (isClosed) return;
          await removeFiles([removed]);
        }
      }),
    close: async () => {
      isClosed = true;
      await pending;
    },
  };
}

/** Maximum number of builds and jobs per step. Each step checks once which builds are in use. */
const mostBuilds = 200;
const mostJobs = 2000;

/** Returns as many builds as fit in one step. Skips builds that unfinished builds refer to. */
function findUnused({ builds, oldBuilds }: Store, ids: readonly string[]) {
  const inUse = oldBuilds.inUse();
  const unused: RemovedBuild[] = [];
  let [checked, jobs] = [0, 0];
  for (const id of ids) {
    if (jobs >= mostJobs) break;
    checked += 1;
    const build = builds.byId(id);
    if (build === undefined || build.finishedAt === null || build.blocked || inUse.has(id))
      continue;
    const found = oldBuilds.find(id);
    unused.push(found);
    jobs += found.jobIds.length;
  }
  return { unused, checked };
}

const pageSize = 500;

/** Yields pages of IDs of the builds to remove, oldest first. A page may be empty. */
function* oldIds(
  { oldBuilds, pipelines, accounts }: Pick<Store, 'oldBuilds' | 'pipelines' | 'accounts'>,
  keep: Keep,
  now: number,
): Generator<readonly string[]> {
  if ('age' in keep) {
    yield* pages((from) => oldBuilds.finishedBefore(now - keep.age, from, pageSize));
    return;
  }
  for (const organization of accounts.organizations())
    for (const { id } of pipelines.list(organization.id))
      yield* pages((from) => oldBuilds.beforeNewest(id, keep.newest, from, pageSize));
}

function* pages(read: (from: number) => OldPart): Generator<readonly string[]> {
  for (let from: number | null = 0; from !== null;) {
    const page: OldPart = read(from);
    yield page.ids;
    from = page.next;
  }
}

const hour = 3_600_000;

export type Pruning = ReturnType<typeof startPruning>;

/** Applies the `keep` setting now and every hour. This also retries removals that failed. */
export function startPruning({ settings }: Pick<Store, 'settings'>, pruner: Pruner) {
  const apply = (): void => {
    const keep = parseKeep(settings.get('keep') ?? '');
    if (keep !== undefined) pruner.prune(keep).catch(() => undefined);
  };
  const startHour = () =>
    startTimer(
      hour,
      () => {
        timer = startHour();
        apply();
      },
      { keepsProcess: false },
    );
  let timer = startHour();
  pruner.removeLeftovers().catch(() => undefined);
  apply();
  return {
    /** Changes the `keep` setting; null keeps all builds. */
    set: (keep: string | null): void => {
      settings.set('keep', keep);
      apply();
    },
    stop: async (): Promise<void> => {
      timer.stop();
      await pruner.close();
    },
  };
}
