/**
 * A persistent list of jobs: changing one job creates a new tree without copying all jobs. The
 * latest tree owns the list. Older trees record what has changed since then. An array is only
 * created when `jobs` is read.
 */
import type { Job, Tree } from './records.ts';

interface Version {
  /** The array returned by `jobs`; never modified. */
  jobs?: readonly Job[];
  /** The job array. Only set in the latest version. The next version takes it and modifies it. */
  list?: Job[];
  /** The version that took over the list, and the changes to undo. */
  next?: Version;
  undo?: readonly PlacedChange[];
  /** Identifies this version. Holding this object does not keep the version in memory. */
  readonly token: object;
  /** The previous version, and the changes since then. */
  readonly made?: { readonly from: object; readonly changed: readonly PlacedChange[] };
}

export interface Placed {
  readonly position: number;
  readonly job: Job;
  /** Whether to insert the job at this position instead of replacing the job there. */
  readonly isNew?: boolean;
}

interface PlacedChange extends JobChange {
  readonly position: number;
}

const byTree = new WeakMap<Tree, Version>();
const byJobs = new WeakMap<Tree['jobs'], Version>();

function versionOf(tree: Tree): Version {
  const known = byTree.get(tree) ?? byJobs.get(tree.jobs);
  if (known !== undefined) return known;
  const version: Version = { jobs: tree.jobs, token: {} };
  byJobs.set(tree.jobs, version);
  return version;
}

/** Returns the jobs of a tree. The next transition may modify this array. */
export function jobsNow(tree: Tree): readonly Job[] {
  const version = versionOf(tree);
  return version.list ?? readJobs(version);
}

/** Returns the same object until the jobs change. */
export const tokenOf = (tree: Tree): object => versionOf(tree).token;

export const withSameJobs = (tree: Tree, members: Omit<Tree, 'jobs'>): Tree =>
  treeOf(members, versionOf(tree));

export function withPlacedJobs(
  tree: Tree,
  members: Omit<Tree, 'jobs'>,
  placed: readonly Placed[],
): Tree {
  const before = versionOf(tree);
  const list = before.list ?? readJobs(before).slice();
  const changed = placed.map(({ position, job, isNew = false }) => {
    const [old] = list.splice(position, isNew ? 0 : 1, job);
    return { position, before: old, after: job };
  });
  const next: Version = { list, token: {}, made: { from: before.token, changed } };
  if (before.jobs === undefined) {
    before.undo = changed;
    before.next = next;
  }
  delete before.list;
  return treeOf(members, next);
}

function treeOf({ build, plan }: Omit<Tree, 'jobs'>, version: Version): Tree {
  const tree = {
    build,
    plan,
    get jobs() {
      return readJobs(version);
    },
  };
  byTree.set(tree, version);
  return tree;
}

function readJobs(version: Version): readonly Job[] {
  if (version.jobs !== undefined) return version.jobs;
  const older: Version[] = [];
  let newest = version;
  for (; newest.jobs === undefined && newest.next !== undefined; newest = newest.next)
    older.push(newest);
  const jobs = [...(newest.jobs ?? newest.list ?? [])];
  for (const { undo = [] } of older.reverse())
    for (const { position, before } of [...undo].reverse())
      jobs.splice(position, 1, ...(before === undefined ? [] : [before]));
  version.jobs = jobs;
  delete version.next;
  delete version.undo;
  byJobs.set(jobs, version);
  return jobs;
}

export interface JobChange {
  /** Undefined if the job is new. */
  readonly before: Job | undefined;
  readonly after: Job;
}

/** Returns the differences between two trees of a build. Fast if one was derived from the other. */
export function jobChanges(
  before: Tree,
  after: Tree,
): { readonly changed: readonly JobChange[]; readonly removed: readonly Job[] } {
  const { token, made } = versionOf(after);
  const from = versionOf(before).token;
  if (token === from) return { changed: [], removed: [] };
  if (made?.from === from) return { changed: made.changed, removed: [] };
  const known = new Map(before.jobs.map((job) => [job.id, job]));
  const changed = after.jobs.flatMap((job) => {
    const old = known.get(job.id);
    known.delete(job.id);
    return old === job ? [] : [{ before: old, after: job }];
  });
  return { changed, removed: [...known.values()] };
}
