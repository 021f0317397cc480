/**
 * What changes in builds that somebody watches: whoever has seen a build once asks for what is new, and
 * waits until there is something. Nothing is kept for a build that nobody asks for. In the same way a
 * pipeline has its builds, and an organization its pipelines, for what a build has its jobs.
 */
import { startTimer } from '../../common/clock.ts';

export interface NewChanges {
  /** What to ask with next time. */
  readonly version: number;
  /** Ids of the jobs that are in another state; null where the asker has to see all. */
  readonly jobIds: readonly string[] | null;
}

export interface ChangeFeed {
  /** These jobs of a build have changed; null: not only the states of jobs. */
  note(buildId: string, jobIds: readonly string[] | null): void;
  /** What is new in a build since a version that it had; null for none. */
  since(buildId: string, version: number | null): NewChanges;
  /** Resolves at the next change of the build, at most after so many milliseconds. */
  next(buildId: string, ms: number): Promise<void>;
}

interface Watched {
  /** Whoever has an older version has to see all. */
  whole: number;
  last: number;
  /** By job: the version that brought its last change. */
  readonly jobs: Map<string, number>;
  readonly waiting: Set<() => void>;
  askedAt: number;
}

/** Milliseconds after which nobody is expected to ask again. */
const longestPause = 60_000;

/** `now` in milliseconds; versions begin there, so that those of an earlier service are older. */
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
    // Whoever asks again after all may have missed something.
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
        // Whoever asks again after all has missed this.
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
