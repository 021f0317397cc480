/** Builds with their jobs. */
import { jobChanges, type JobChange } from '../../domain/job-list.ts';
import type { Build, Job, Tree } from '../../domain/records.ts';
import { buildJobs, groupJobs, insertJob, removeJob, updateJob, countJobs } from './jobs.ts';
import { buildLists } from '../build-lists.ts';
import type { Plan } from '../../pipeline/plan.ts';
import type { Database } from '../database.ts';
import { flag, readRecord, readRecordMaybe, writeRecord } from '../sql.ts';
import type { KnownCounts, TreeCache } from '../caches.ts';

export type Builds = ReturnType<typeof builds>;

export const builds = (database: Database, cache: TreeCache, counts: KnownCounts) => ({
  add: (tree: Tree) => {
    insertBuild(database, tree.build);
    counts.touch(() => placeOf(database, tree.build.id));
    insertPlan(database, tree);
    for (const job of tree.jobs) insertJob(database, tree, job);
    countJobs(
      database,
      undefined,
      tree,
      tree.jobs.map((after) => ({ before: undefined, after })),
    );
    writeMetaData(database, undefined, tree.build);
    cache.put(tree);
  },
  /** Writes what differs between two states of one build; gives the jobs that do. */
  update: (before: Tree, after: Tree): readonly JobChange[] => {
    if (before.build !== after.build) {
      updateBuild(database, after.build);
      counts.touch(() => placeOf(database, after.build.id));
    }
    if (before.plan !== after.plan) updatePlan(database, after);
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
  tree: (buildId: string): Tree | undefined =>
    cache.get(buildId) ?? readTree(database, cache, buildId),
  /** The tree of a build that was read just now. */
  treeOf: (build: Build): Tree => cache.get(build.id) ?? treeOf(database, cache, build),
  byId: (id: string): Build | undefined =>
    readRecordMaybe(database.get('select data from builds where id = ?', id)),
  find: (pipelineId: string, number: number): Build | undefined =>
    readRecordMaybe(
      database.get(
        'select data from builds where pipeline_id = ? and number = ?',
        pipelineId,
        number,
      ),
    ),
  /** The steps that the build was made with, before jobs added others. */
  firstPlan: (buildId: string): Plan => readPlan(database, buildId, 'first'),
  ...buildLists(database, counts),
  ...buildJobs(database),
  ...groupJobs(database),
});

/** The place of a build among all, as they were made. */
export const placeOf = (database: Database, id: string): number =>
  Number(database.get('select seq from builds where id = ?', id)?.seq);

function readTree(database: Database, cache: TreeCache, buildId: string): Tree | undefined {
  const row = database.get('select data from builds where id = ?', buildId);
  return row && treeOf(database, cache, readRecord<Build>(row));
}

function treeOf(database: Database, cache: TreeCache, build: Build): Tree {
  const tree = { build, plan: readPlan(database, build.id), jobs: jobsOf(database, build.id) };
  cache.put(tree);
  return tree;
}

/** As the steps stand; of one step in the order in which they came. */
const jobsOf = (database: Database, buildId: string): Job[] =>
  database
    .all('select data from jobs where build_id = ? order by position, seq', buildId)
    .map(readRecord<Job>);

function insertBuild(database: Database, build: Build): void {
  database.run(
    `insert into builds (id, organization_id, pipeline_id, number, state, blocked, branch, commit_id,
       creator_id, created_at, finished_at, data) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    build.id,
    build.organizationId,
    build.pipelineId,
    build.number,
    build.state,
    flag(build.blocked),
    build.branch,
    build.commit,
    build.creatorId,
    build.createdAt,
    build.finishedAt,
    writeRecord(build),
  );
}

function updateBuild(database: Database, build: Build): void {
  database.run(
    'update builds set state = ?, blocked = ?, finished_at = ?, data = ? where id = ?',
    build.state,
    flag(build.blocked),
    build.finishedAt,
    writeRecord(build),
    build.id,
  );
  const { commit, id } = build;
  // Rare: in the statement above, the indexes of commits would be written each time.
  database.run(
    'update builds set commit_id = ? where id = ? and commit_id <> ?',
    commit,
    id,
    commit,
  );
}

// Plans, apart from their builds: a build changes at every turn, its plan hardly ever.

function insertPlan(database: Database, { build, plan }: Tree): void {
  database.run('insert into plans (build_id, plan) values (?, ?)', build.id, writeRecord(plan));
}

/** The one that was there first stays. */
function updatePlan(database: Database, { build, plan }: Tree): void {
  database.run(
    'update plans set first = coalesce(first, plan), plan = ? where build_id = ?',
    writeRecord(plan),
    build.id,
  );
}

/** Of a build that is there. */
function readPlan(database: Database, buildId: string, which: 'now' | 'first' = 'now'): Plan {
  const column = which === 'first' ? 'coalesce(first, plan)' : 'plan';
  const row = database.get(`select ${column} as plan from plans where build_id = ?`, buildId);
  return JSON.parse(String(row?.plan)) as Plan;
}

// Meta-data of builds, a row each: lists are filtered by it.

/** Writes what differs; `before` is undefined for a new build. */
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
