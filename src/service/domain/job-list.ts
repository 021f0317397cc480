/**
 * The jobs of trees. A change of one job makes a new tree without a copy of all jobs: the newest tree has
 * the list itself, an older one knows what was changed since, and an array is made of it where somebody
 * reads `jobs`.
 */
import type { Job, Tree } from './records.ts';

interface Version {
  /** What was read as `jobs`; never changed. */
  jobs?: readonly Job[];
  /** The list of the newest version, which the next one will change. */
  list?: Job[];
  /** What came of it, and the jobs that this one had in its place. */
  next?: Version;
  undo?: readonly PlacedChange[];
  /** Stands for this version without holding on to it. */
  readonly token: object;
  /** The version from which it came, and what was changed since. */
  readonly made?: { readonly from: object; readonly changed: readonly PlacedChange[] };
}

export interface Placed {
  readonly position: number;
  readonly job: Job;
  /** It comes between two jobs, and takes nobody's place. */
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

/** The jobs of a tree, to look at before anything changes. */
export function jobsNow(tree: Tree): readonly Job[] {
  const version = versionOf(tree);
  return version.list ?? readJobs(version);
}

/** Stands for the jobs of a tree, as long as they are the same. */
export const tokenOf = (tree: Tree): object => versionOf(tree).token;

/** The tree with other members and the same jobs. */
export const withSameJobs = (tree: Tree, members: Omit<Tree, 'jobs'>): Tree =>
  treeOf(members, versionOf(tree));

/** The tree with jobs in other states at their positions, and new ones between them, in this order. */
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

export interface JobChanges {
  readonly changed: readonly JobChange[];
  readonly removed: readonly Job[];
}

export interface JobChange {
  /** Undefined where the job is new. */
  readonly before: Job | undefined;
  readonly after: Job;
}

/** What differs between two trees of a build; without a look at all jobs where one came from the other. */
export function jobChanges(before: Tree, after: Tree): JobChanges {
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
