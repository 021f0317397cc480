/** Builds with their jobs. */
import type { Agent, Build, Job, Tree } from '../domain/records.ts';
import type { Plan } from '../pipeline/plan.ts';
import { condition, type BuildFilters } from './build-filters.ts';
import type { Database, Row } from './database.ts';
import { flag, read, readMaybe, write } from './records.ts';
import { windowSql, type Window } from './window.ts';

export type Builds = ReturnType<typeof builds>;

/** `offset` builds are left out, then at most `limit` come. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

/** A job beside the build that it belongs to. */
export interface JobOfBuild {
  readonly buildId: string;
  readonly job: Job;
}

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
    return { build: read<Build>(row), plan, jobs: jobsOf(database, buildId) };
  },
  byId: (id: string): Build | undefined =>
    readMaybe(database.get('select data from builds where id = ?', id)),
  find: (pipelineId: string, number: number): Build | undefined =>
    readMaybe(
      database.get(
        'select data from builds where pipeline_id = ? and number = ?',
        pipelineId,
        number,
      ),
    ),
  /** The newest first. */
  list: (filters: BuildFilters, { offset, limit }: Slice): Build[] => {
    const { where, values } = condition(filters);
    const sql = `select data from builds where ${where} order by seq desc limit ? offset ?`;
    return database.all(sql, ...values, limit, offset).map(read<Build>);
  },
  /** Ids of a piece of the list, the newest first, or the oldest where it is read from its end. */
  window: (filters: BuildFilters, window: Window): string[] => {
    const { where, values } = condition(filters);
    const piece = windowSql('builds', ['t.seq'], window);
    const sql = `select id from builds t where ${where} and ${piece.where}
      order by ${piece.orderBy} limit ?`;
    return database.all(sql, ...values, ...piece.values, window.limit).map(({ id }) => String(id));
  },
  count: (filters: BuildFilters): number => {
    const { where, values } = condition(filters);
    return Number(database.get(`select count(*) as n from builds where ${where}`, ...values)?.n);
  },
  /** How much of a pipeline is under way (specification, "Pipeline"). */
  counts: (pipelineId: string): PipelineCounts => countStates(database, pipelineId),
  job: (id: string): JobOfBuild | undefined => {
    const row = database.get('select build_id, data from jobs where id = ?', id);
    return row === undefined ? undefined : jobOfBuild(row);
  },
  /** An agent that has had a job of the organization. */
  agent: (organizationId: string, id: string): Agent | undefined => {
    const row = database.get(
      `select j.data from jobs j join builds b on b.id = j.build_id
       where json_extract(j.data, '$.agent.id') = ? and b.organization_id = ? limit 1`,
      id,
      organizationId,
    );
    return row === undefined ? undefined : (read<Job>(row).agent ?? undefined);
  },
  /** When an agent's last job ended; null where none has. */
  lastFinishedAt: (agentId: string): number | null => {
    const row = database.get(
      `select max(json_extract(data, '$.finishedAt')) as at from jobs
       where json_extract(data, '$.agent.id') = ?`,
      agentId,
    );
    return row?.at === null || row === undefined ? null : Number(row.at);
  },
  /** The job that has waited longest for a slot. */
  nextJob: (): JobOfBuild | undefined => {
    const row = database.get(
      "select build_id, data from jobs where state = 'scheduled' order by seq limit 1",
    );
    return row === undefined ? undefined : jobOfBuild(row);
  },
  /** Jobs of an organization that have not come to an end, each beside its steps. */
  unfinishedJobs: (organizationId: string): { job: Job; plan: Plan }[] =>
    database
      .all(
        `select j.data, b.plan from jobs j join builds b on b.id = j.build_id
         where j.state in ('waiting', 'limited', 'scheduled', 'running', 'canceling')
           and b.organization_id = ?`,
        organizationId,
      )
      .map((row) => ({ job: read<Job>(row), plan: JSON.parse(String(row.plan)) as Plan })),
  /** Jobs in these states, the oldest first. */
  jobsIn: (...states: Job['state'][]): JobOfBuild[] =>
    database
      .all(
        `select build_id, data from jobs where state in (${states.map(() => '?').join()}) order by seq`,
        ...states,
      )
      .map(jobOfBuild),
});

export interface PipelineCounts {
  readonly scheduled_builds_count: number;
  readonly running_builds_count: number;
  readonly scheduled_jobs_count: number;
  readonly running_jobs_count: number;
  readonly waiting_jobs_count: number;
}

function countStates(database: Database, pipelineId: string): PipelineCounts {
  const builds = database.all(
    `select state, count(*) as n from builds where pipeline_id = ?
       and state in ('scheduled', 'running', 'failing', 'canceling') group by state`,
    pipelineId,
  );
  const jobs = database.all(
    `select j.state, count(*) as n from jobs j join builds b on b.id = j.build_id
     where j.state in ('scheduled', 'running', 'canceling', 'waiting', 'limited')
       and b.pipeline_id = ? group by j.state`,
    pipelineId,
  );
  const sum = (rows: Row[], ...states: string[]): number =>
    rows.reduce((n, row) => n + (states.includes(String(row.state)) ? Number(row.n) : 0), 0);
  return {
    scheduled_builds_count: sum(builds, 'scheduled'),
    running_builds_count: sum(builds, 'running', 'failing', 'canceling'),
    scheduled_jobs_count: sum(jobs, 'scheduled'),
    running_jobs_count: sum(jobs, 'running', 'canceling'),
    waiting_jobs_count: sum(jobs, 'waiting', 'limited'),
  };
}

const jobOfBuild = (row: Row): JobOfBuild => ({
  buildId: String(row.build_id),
  job: read<Job>(row),
});

const jobsOf = (database: Database, buildId: string): Job[] =>
  database
    .all('select data from jobs where build_id = ? order by position', buildId)
    .map(read<Job>);

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
    write(plan),
    write(build),
  );
}

function updateBuild(database: Database, build: Build): void {
  database.run(
    'update builds set state = ?, blocked = ?, finished_at = ?, data = ? where id = ?',
    build.state,
    flag(build.blocked),
    build.finishedAt,
    write(build),
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
    write(job),
  );
}

function updateJob(database: Database, job: Job, position: number): void {
  database.run(
    'update jobs set position = ?, state = ?, data = ? where id = ?',
    position,
    job.state,
    write(job),
    job.id,
  );
}
