/** Removes old builds with their logs and artifacts. */
import type { Clock } from '../../common/clock.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { ArtifactFiles } from '../store/artifact-files.ts';
import type { Logs } from '../store/logs.ts';
import type { RemovedBuild, OldPart } from '../store/old-builds.ts';
import type { Store } from '../store/store.ts';
import { nextTurn, startTimer, type Timer } from '../../common/clock.ts';
import { type Keep, parseKeep } from './keep.ts';

export interface Pruner {
  /** Removes at most `most` builds, others being answered in between; gives how many. */
  prune(keep: Keep, most?: number): Promise<number>;
  /** Removes the builds of a pipeline, none of which is under way, in the same manner. */
  removeBuildsOf(pipelineId: string): Promise<void>;
  /** Removes files of builds that were removed before the service was killed. */
  removeLeftovers(): Promise<void>;
  /** Lets what is under way come to its end; nothing is removed after that. */
  close(): Promise<void>;
}

export interface PrunerParts {
  readonly store: Store;
  readonly logs: Logs;
  readonly artifactFiles: ArtifactFiles;
  readonly snapshots: Pick<Snapshots, 'remove'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Builds that are removed in one transaction: some ten milliseconds. */
const mostAtOnce = 20;

/**
 * A build goes from the tables first, in one piece with a note of its files; then go the files, then
 * the note. Killed in between, the files go at the next start.
 */
export function createPruner({ store, clock, ...files }: PrunerParts): Pruner {
  let isClosed = false;
  let under: Promise<unknown> = Promise.resolve();
  async function removeFiles(builds: readonly RemovedBuild[]): Promise<void> {
    for (const { buildId, jobIds } of builds) {
      for (const id of jobIds) await files.logs.remove(id);
      await files.artifactFiles.removeBuild(buildId);
      await files.snapshots.remove(buildId);
    }
    store.oldBuilds.filesGone(builds.map(({ buildId }) => buildId));
  }
  async function giveBack(): Promise<void> {
    while (!isClosed && store.freePages.giveBack()) await nextTurn();
  }
  async function prune(keep: Keep, most: number): Promise<number> {
    let count = 0;
    for (const part of oldIds(store, keep, clock.now())) {
      for (let ids = part; ids.length > 0;) {
        if (isClosed || count >= most) return count;
        const some = ids.slice(0, Math.min(mostBuilds, most - count));
        const { removed, looked } = store.transaction(() => removeUnused(store, some));
        await removeFiles(removed);
        count += removed.length;
        ids = ids.slice(looked);
        await nextTurn();
      }
    }
    await giveBack();
    return count;
  }
  async function removeBuildsOf(pipelineId: string): Promise<void> {
    for (;;) {
      const ids = isClosed ? [] : store.oldBuilds.ofPipeline(pipelineId, mostAtOnce);
      if (ids.length === 0) return giveBack();
      const removed = store.transaction(() => ids.map((id) => store.oldBuilds.remove(id)));
      await removeFiles(removed);
      await nextTurn();
    }
  }
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = under.then(work, work);
    under = result.catch(() => undefined);
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
      await under;
    },
  };
}

/** Builds and jobs that go in one turn: what is in use is looked up once for all of them. */
const mostBuilds = 200;
const mostJobs = 2000;

/** The first of them; some may have been retried, or rebuilt, since they were found. */
function removeUnused({ builds, oldBuilds }: Store, ids: readonly string[]) {
  const inUse = oldBuilds.inUse();
  const removed: RemovedBuild[] = [];
  let [looked, jobs] = [0, 0];
  for (const id of ids) {
    if (jobs >= mostJobs) break;
    looked += 1;
    const build = builds.byId(id);
    if (build === undefined || build.finishedAt === null || build.blocked || inUse.has(id))
      continue;
    const gone = oldBuilds.remove(id);
    removed.push(gone);
    jobs += gone.jobIds.length;
  }
  return { removed, looked };
}

/** Builds looked at in one turn. */
const mostLookedAt = 500;

/** Ids of the builds that are not to be kept, the oldest first, in parts; a part may be empty. */
function* oldIds(
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

// Applies the setting `keep` for as long as the service runs.

const hour = 3_600_000;

export interface Pruning {
  /** Changes the setting and applies it; null keeps all. */
  set(keep: string | null): void;
  stop(): Promise<void>;
}

/** Applied at once and then every hour. What cannot be removed now is tried again then. */
export function startPruning(
  { settings }: Pick<Store, 'settings'>,
  pruner: Pruner,
  startEvery: StartEvery = everyHour,
): Pruning {
  const apply = (): void => {
    const keep = parseKeep(settings.get('keep') ?? '');
    if (keep !== undefined) pruner.prune(keep).catch(() => undefined);
  };
  const timer = startEvery(apply);
  pruner.removeLeftovers().catch(() => undefined);
  apply();
  return {
    set: (keep) => {
      settings.set('keep', keep);
      apply();
    },
    stop: async () => {
      timer.stop();
      await pruner.close();
    },
  };
}

type StartEvery = (callback: () => void) => Pick<Timer, 'stop'>;

function everyHour(callback: () => void): Pick<Timer, 'stop'> {
  const next = (): Timer =>
    startTimer(
      hour,
      () => {
        timer = next();
        callback();
      },
      { keepsProcess: false },
    );
  let timer = next();
  return { stop: () => timer.stop() };
}
