import { jobChanges, type JobChange } from '../../domain/job-list.ts';
import type { Build, Job, Tree } from '../../domain/records.ts';
import { buildJobs, countJobs, groupJobs, insertJob, removeJob, updateJob } from './jobs.ts';
import { buildLists } from '../build-lists.ts';
import { readStoredPlan, type Plan } from '../../pipeline/plan.ts';
import type { Database } from '../database.ts';
import { findRecord, flag, insert, readRecord, writeRecord } from '../sql.ts';
import type { KnownCounts, TreeCache } from '../caches.ts';

export const builds = (database: Database, cache: TreeCache, counts: KnownCounts) => ({
  add: (tree: Tree) => {
    insertBuild(database, tree.build);
    counts.touch(() => placeOf(database, tree.build.id));
    insert(database, 'plans', { build_id: tree.build.id, plan: writeRecord(tree.plan) });
    for (const job of tree.jobs) insertJob(database, tree, job);
    const added = tree.jobs.map((after) => ({ before: undefined, after }));
    countJobs(database, undefined, tree, added);
    writeMetaData(database, undefined, tree.build);
    cache.put(tree);
  },
  /** Writes the difference between two versions of a build. Returns the jobs that have changed. */
  update: (before: Tree, after: Tree): readonly JobChange[] => {
    if (before.build !== after.build) {
      updateBuild(database, after.build);
      counts.touch(() => placeOf(database, after.build.id));
    }
    if (before.plan !== after.plan)
      database.run(
        'update plans set first = coalesce(first, plan), plan = ? where build_id = ?',
        ...[writeRecord(after.plan), after.build.id],
      );
    if (before.build.metaData !== after.build.metaData)
      writeMetaData(database, before.build, after.build);
    const { changed, removed } = jobChanges(before, after);
    countJobs(database, before, after, changed, removed);
    for (const job of removed) removeJob(database, job);
    for (const change of changed) {
      if (change.before === undefined) insertJob(database, after, change.after);
      else updateJob(database, change.after);
    }
    cache.put(after);
    return changed;
  },
  tree: (buildId: string): Tree | undefined => {
    const cached = cache.get(buildId);
    if (cached !== undefined) return cached;
    const build = findBuild(database, buildId);
    return build && treeOf(database, cache, build);
  },
  /** Returns the tree of a build whose record has just been read. */
  treeOf: (build: Build): Tree => cache.get(build.id) ?? treeOf(database, cache, build),
  byId: (id: string) => findBuild(database, id),
  find: (pipelineId: string, number: number): Build | undefined =>
    findRecord(
      database,
      'select data from builds where pipeline_id = ? and number = ?',
      ...[pipelineId, number],
    ),
  /** Returns the plan with which the build was created, without steps that its jobs have added. */
  firstPlan: (buildId: string): Plan => readPlan(database, buildId, 'coalesce(first, plan)'),
  ...buildLists(database, counts),
  ...buildJobs(database),
  ...groupJobs(database),
});

/** The position of a build in the order of creation, across pipelines. */
export const placeOf = (database: Database, id: string): number =>
  Number(database.get('select seq from builds where id = ?', id)?.seq);

const findBuild = (database: Database, id: string): Build | undefined =>
  findRecord(database, 'select data from builds where id = ?', id);

function treeOf(database: Database, cache: TreeCache, build: Build): Tree {
  const jobs = database
    .all('select data from jobs where build_id = ? order by position, seq', build.id)
    .map(readRecord<Job>);
  const tree = { build, plan: readPlan(database, build.id, 'plan'), jobs };
  cache.put(tree);
  return tree;
}

function insertBuild(database: Database, build: Build): void {
  insert(database, 'builds', {
    id: build.id,
    organization_id: build.organizationId,
    pipeline_id: build.pipelineId,
    number: build.number,
    state: build.state,
    blocked: flag(build.blocked),
    branch: build.branch,
    commit_id: build.commit,
    creator_id: build.creatorId,
    created_at: build.createdAt,
    finished_at: build.finishedAt,
    data: writeRecord(build),
  });
}

function updateBuild(database: Database, build: Build): void {
  const { id, state, blocked, commit, finishedAt } = build;
  database.run(
    'update builds set state = ?, blocked = ?, finished_at = ?, data = ? where id = ?',
    ...[state, flag(blocked), finishedAt, writeRecord(build), id],
  );
  // A separate statement, because it is rarely needed and must update the indexes on the commit.
  const sql = 'update builds set commit_id = ? where id = ? and commit_id <> ?';
  database.run(sql, commit, id, commit);
}

/** Plans have their own table, because plans rarely change while builds change often. */
function readPlan(database: Database, buildId: string, expression: string): Plan {
  const row = database.get(`select ${expression} as plan from plans where build_id = ?`, buildId);
  return readStoredPlan(String(row?.plan));
}

/** Writes the entries that have changed. `before` is undefined for a new build. */
function writeMetaData(database: Database, before: Build | undefined, after: Build): void {
  const old = before?.metaData ?? {};
  for (const name of Object.keys(old))
    if (!Object.hasOwn(after.metaData, name)) database.run(removeSql, after.id, name);
  for (const [name, value] of Object.entries(after.metaData))
    if (old[name] !== value) database.run(putSql, name, value, after.id);
}

const removeSql = `delete from build_meta
  where build_seq = (select seq from builds where id = ?) and name = ?`;

const putSql = `insert into build_meta (build_seq, pipeline_id, organization_id, name, value)
  select seq, pipeline_id, organization_id, ?, ? from builds where id = ?
  on conflict do update set value = excluded.value`;
