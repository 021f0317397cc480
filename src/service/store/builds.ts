/** Builds with their jobs. */
import type { Build, Job, Tree } from '../domain/records.ts';
import type { Plan } from '../pipeline/plan.ts';
import { buildJobs } from './build-jobs.ts';
import { buildLists } from './build-lists.ts';
import type { Database } from './database.ts';
import { flag, readRecord, readRecordMaybe, writeRecord } from './records.ts';

export type Builds = ReturnType<typeof builds>;

export const builds = (database: Database) => ({
  add: (tree: Tree) => {
    insertBuild(database, tree);
    tree.jobs.forEach((job, position) => {
      insertJob(database, tree.build.id, job, position);
    });
  },
  /** Writes what differs between two states of one build. */
  update: (before: Tree, after: Tree) => {
    if (before.build !== after.build) updateBuild(database, after.build);
    if (before.jobs !== after.jobs) updateJobs(database, before, after);
  },
  tree: (buildId: string): Tree | undefined => {
    const row = database.get('select plan, data from builds where id = ?', buildId);
    if (row === undefined) return undefined;
    const plan = JSON.parse(String(row.plan)) as Plan;
    return { build: readRecord<Build>(row), plan, jobs: jobsOf(database, buildId) };
  },
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
  ...buildLists(database),
  ...buildJobs(database),
});

const jobsOf = (database: Database, buildId: string): Job[] =>
  database
    .all('select data from jobs where build_id = ? order by position', buildId)
    .map(readRecord<Job>);

function insertBuild(database: Database, { build, plan }: Tree): void {
  database.run(
    `insert into builds (id, organization_id, pipeline_id, number, state, blocked, branch, commit_id,
       creator_id, created_at, finished_at, plan, data) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    writeRecord(plan),
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
}

function updateJobs(database: Database, before: Tree, after: Tree): void {
  const known = new Map(before.jobs.map((job, position) => [job.id, { job, position }]));
  after.jobs.forEach((job, position) => {
    const old = known.get(job.id);
    if (old === undefined) insertJob(database, after.build.id, job, position);
    else if (old.job !== job || old.position !== position) updateJob(database, job, position);
  });
}

function insertJob(database: Database, buildId: string, job: Job, position: number): void {
  database.run(
    'insert into jobs (id, build_id, position, state, data) values (?, ?, ?, ?, ?)',
    job.id,
    buildId,
    position,
    job.state,
    writeRecord(job),
  );
}

function updateJob(database: Database, job: Job, position: number): void {
  database.run(
    'update jobs set position = ?, state = ?, data = ? where id = ?',
    position,
    job.state,
    writeRecord(job),
    job.id,
  );
}
