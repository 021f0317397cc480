/**
 * Lets clients watch builds: after reading a build, a client polls or waits for changes to it. A
 * build that no client watches uses no memory. In the same way, clients can watch a pipeline and
 * its builds, or an organization and its pipelines.
 */
import { startTimer } from '../../common/clock.ts';

interface NewChanges {
  /** The version to send with the next request. */
  readonly version: number;
  /** IDs of the jobs whose state has changed; null if the client must read the whole build. */
  readonly jobIds: readonly string[] | null;
}

export interface ChangeFeed {
  /** Records that the states of these jobs have changed. Null means any other change. */
  note(buildId: string, jobIds: readonly string[] | null): void;
  /** Returns the changes since `version`, which is null for a client's first request. */
  since(buildId: string, version: number | null): NewChanges;
  /** Resolves at the next change, or after `ms` milliseconds. */
  next(buildId: string, ms: number): Promise<void>;
}

interface Watched {
  /** Clients with an older version must read the whole build again. */
  whole: number;
  last: number;
  readonly jobs: Map<string, number>;
  readonly waiting: Set<() => void>;
  askedAt: number;
}

/** A build is no longer watched after this many milliseconds without a request. */
const longestPause = 60_000;

/** Versions start at the current time in milliseconds, so they exceed those of earlier services. */
export function createChangeFeed(now: () => number): ChangeFeed {
  const builds = new Map<string, Watched>();
  let version = now();
  let sweptAt = version;
  const isLeft = ({ waiting, askedAt }: Watched): boolean =>
    waiting.size === 0 && now() - askedAt > longestPause;
  const sweep = (): void => {
    if (now() - sweptAt <= longestPause) return;
    sweptAt = now();
    for (const [id, one] of builds) if (isLeft(one)) builds.delete(id);
    // Makes the version of a returning client outdated, because it may have missed changes.
    version++;
  };
  const watch = (id: string): Watched => {
    const known = builds.get(id);
    if (known !== undefined) return known;
    sweep();
    const jobs = new Map<string, number>();
    const waiting = new Set<() => void>();
    const one = { whole: version, last: version, jobs, waiting, askedAt: now() };
    builds.set(id, one);
    return one;
  };
  return {
    note(buildId, jobIds) {
      const one = builds.get(buildId);
      if (one === undefined) return;
      if (isLeft(one)) {
        builds.delete(buildId);
        version++;
        return;
      }
      one.last = ++version;
      if (jobIds === null) one.whole = version;
      for (const id of jobIds ?? []) one.jobs.set(id, version);
      for (const wake of one.waiting) wake();
    },
    since(buildId, seen) {
      const one = watch(buildId);
      one.askedAt = now();
      const isKnown = seen !== null && seen >= one.whole && seen <= one.last;
      const jobIds = isKnown ? newer(one.jobs, seen) : null;
      return { version: one.last, jobIds };
    },
    next(buildId, ms) {
      const { waiting } = watch(buildId);
      return new Promise((resolve) => {
        const wake = (): void => {
          timer.stop();
          waiting.delete(wake);
          resolve();
        };
        const timer = startTimer(ms, wake, { keepsProcess: false });
        waiting.add(wake);
      });
    },
  };
}

const newer = (jobs: ReadonlyMap<string, number>, seen: number): string[] =>
  [...jobs].filter(([, version]) => version > seen).map(([id]) => id);
