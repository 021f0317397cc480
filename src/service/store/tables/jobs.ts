import type { Agent, Job, Build, Tree, JobState } from '../../domain/records.ts';
import type { Database, Row } from '../database.ts';
import { readNumber, readRecord, writeRecord } from '../sql.ts';
import { demandOf, rulesOf } from '../../domain/agents.ts';
import { readStoredPlan, type Plan, type Step } from '../../pipeline/plan.ts';
import type { QueueCount } from '../../domain/metrics.ts';
import type { JobChange } from '../../domain/job-list.ts';

export interface JobOfBuild {
  readonly buildId: string;
  readonly job: Job;
}

export const buildJobs = (database: Database) => ({
  job: (id: string): JobOfBuild | undefined => {
    const row = database.get('select build_id, data from jobs where id = ?', id);
    return row && jobOfBuild(row);
  },
  /** Finds an agent that has run a job for the organization. */
  agent: (organizationId: string, id: string): Agent | undefined => {
    const row = database.get(
      `select j.data from jobs j join builds b on b.id = j.build_id
       where json_extract(j.data, '$.agent.id') = ? and b.organization_id = ? limit 1`,
      ...[id, organizationId],
    );
    return (row && readRecord<Job>(row).agent) ?? undefined;
  },
  /** Time when the agent's last job finished; null if none has finished. */
  lastFinishedAt: (agentId: string): number | null => {
    const sql = `select max(json_extract(data, '$.finishedAt')) as at from jobs
      where json_extract(data, '$.agent.id') = ?`;
    const at = database.get(sql, agentId)?.at ?? null;
    return at === null ? null : Number(at);
  },
  /** Returns the jobs in these states, oldest first. */
  jobsIn: (...states: JobState[]): JobOfBuild[] =>
    states
      .flatMap((state) =>
        database.all('select seq, build_id, data from jobs where state = ?', state),
      )
      .sort((a, b) => Number(a.seq) - Number(b.seq))
      .map(jobOfBuild),
  /** Returns the counts that the API shows for a pipeline. One statement is faster than five. */
  counts: (pipelineId: string): PipelineCounts => {
    const names = Object.keys(countsSql) as (keyof PipelineCounts)[];
    const sql = `select ${names.map((name) => `${countsSql[name]} as ${name}`).join()}`;
    const row = database.get(sql, ...names.map(() => pipelineId)) ?? {};
    return Object.fromEntries(names.map((name) => [name, Number(row[name])])) as PipelineCounts;
  },
  /** Returns the number of jobs in each queue and state, separately for each pipeline. */
  queueCounts: (organizationId: string): QueueCount[] =>
    database
      .all(
        `select substr(c.queue, 7) as queue, c.state, c.n from pipelines p
         cross join job_counts c on c.pipeline_id = p.id and c.queue > '' and c.n > 0
         where p.organization_id = ?`,
        organizationId,
      )
      .map(({ queue, state, n }) => ({
        queue: String(queue),
        state: state as JobState,
        n: Number(n),
      })),
});

type PipelineCounts = Readonly<Record<keyof typeof countsSql, number>>;

const buildsIn = (...states: readonly string[]): string =>
  `(select coalesce(sum(n), 0) from build_counts where scope = ? and name = 'state'
    and value in (${states.map((state) => `'${state}/0', '${state}/1'`).join()}))`;

const jobsIn = (...states: readonly JobState[]): string =>
  `(select coalesce(sum(n), 0) from job_counts where pipeline_id = ?
    and state in (${states.map((state) => `'${state}'`).join()}))`;

const countsSql = {
  scheduled_builds_count: buildsIn('scheduled'),
  running_builds_count: buildsIn('running', 'failing', 'canceling'),
  scheduled_jobs_count: jobsIn('scheduled'),
  running_jobs_count: jobsIn('accepted', 'running', 'timing_out', 'canceling'),
  waiting_jobs_count: jobsIn('waiting', 'limited'),
};

const jobOfBuild = (row: Row): JobOfBuild => ({
  buildId: String(row.build_id),
  job: readRecord<Job>(row),
});

/** A job that waits for a place in its concurrency group. */
export interface LimitedJob extends JobOfBuild {
  readonly buildSeq: number;
}

export const groupJobs = (database: Database) => ({
  /** Returns the number of admitted and unfinished jobs in a concurrency group. */
  groupLoad: (group: string): number =>
    readNumber(
      database,
      `select count(*) as n from jobs
       where concurrency_group = ? and state in ('scheduled', 'accepted', 'running', 'timing_out', 'canceling')`,
      group,
    ),
  /** Returns the oldest job that is waiting for a place in the group. */
  nextLimited: (group: string): LimitedJob | undefined => {
    const row = database.get(
      `select build_id, data, build_seq from jobs
       where concurrency_group = ? and state = 'limited' order by build_seq, position, seq limit 1`,
      group,
    );
    return row && { ...jobOfBuild(row), buildSeq: Number(row.build_seq) };
  },
  /**
   * Returns the number of jobs in the group that belong to earlier builds and are not ready yet, up
   * to `limit`. Ignores blocked builds.
   */
  earlierInGroup: (group: string, { buildSeq }: LimitedJob, limit: number): number =>
    database.all(
      `select 1 as yes from jobs
       where concurrency_group = ? and state = 'waiting' and build_seq < ?
         and not (select blocked from builds where id = build_id) limit ?`,
      ...[group, buildSeq, limit],
    ).length,
});

export function insertJob(database: Database, { build, plan }: Tree, job: Job): void {
  const step = plan.steps[job.step];
  database.run(
    `insert into jobs (id, build_id, build_seq, position, state, priority, step_key, concurrency_group,
       queue, demand, data) values (?, ?, (select seq from builds where id = ?), ?, ?, ?, ?, ?, ?, ?, ?)`,
    job.id,
    build.id,
    build.id,
    job.step,
    job.state,
    job.priority,
    step?.key ?? null,
    concurrencyGroup(build, step),
    queueOf(job, step),
    demandOf(build, job, step),
    writeRecord(job),
  );
}

/** The group's name contains the organization, because each organization has its own groups. */
export const concurrencyGroup = (build: Build, step: Step | undefined): string | null =>
  step?.type === 'command' && step.concurrency !== null
    ? `${build.organizationId}/${step.concurrency.group}`
    : null;

export function updateJob(database: Database, job: Job): void {
  database.run(
    'update jobs set position = ?, state = ?, priority = ?, data = ? where id = ?',
    ...[job.step, job.state, job.priority, writeRecord(job), job.id],
  );
}

export function removeJob(database: Database, { id }: Job): void {
  database.run('delete from jobs where id = ?', id);
}

/** `queue=NAME`, or empty if the job needs no agent. */
const queueOf = ({ type }: Job, step: Step | undefined): string =>
  (type === 'script' ? rulesOf(step).find((rule) => rule.startsWith('queue=')) : undefined) ?? '';

/** A scheduled job. `place` is its position in the queue, as a list of sort keys. */
export interface WaitingJob extends JobOfBuild {
  readonly place: readonly number[];
}

const waiting = `from jobs indexed by jobs_to_start
  where state = 'scheduled' and json_extract(data, '$.type') = 'script'`;

/** Finds scheduled jobs by their demands. */
export const waitingJobs = (database: Database) => ({
  /** Returns jobs with the highest priority first, then in order of builds and steps. */
  next: (demand: string, limit: number): WaitingJob[] =>
    database
      .all(
        `select build_id, data, priority, build_seq, position, seq ${waiting} and demand = ?
         order by priority desc, build_seq, position, seq limit ?`,
        ...[demand, limit],
      )
      .map((row) => ({
        ...jobOfBuild(row),
        place: [
          -Number(row.priority),
          Number(row.build_seq),
          Number(row.position),
          Number(row.seq),
        ],
      })),
  demands: (): string[] =>
    database.all(`select distinct demand ${waiting}`).map(({ demand }) => String(demand)),
  count: (demand: string): number =>
    readNumber(database, `select count(*) as n ${waiting} and demand = ?`, demand),
  /** Returns up to 1000 jobs that have been runnable since before `at`. */
  before: (at: number): JobOfBuild[] =>
    database
      .all(
        `select build_id, data ${waiting} and json_extract(data, '$.runnableAt') < ? limit 1000`,
        at,
      )
      .map(jobOfBuild),
  /** Adds demands to jobs that an earlier version of cictl stored without them. */
  fillDemands: () => {
    const rows = database.all(
      `select j.id, j.data as job, b.data as build, p.plan from jobs j
       join builds b on b.id = j.build_id join plans p on p.build_id = j.build_id
       where j.demand = '' and j.state in ('waiting', 'waiting_failed', 'limited', 'scheduled')
         and json_extract(j.data, '$.type') = 'script'`,
    );
    for (const { id = '', job, build, plan } of rows) {
      const record = JSON.parse(String(job)) as Job;
      const step = readStoredPlan(String(plan)).steps[record.step];
      const demand = demandOf(JSON.parse(String(build)) as Build, record, step);
      database.run('update jobs set demand = ? where id = ?', demand, id);
    }
  },
});

/** Whether `a` comes before `b` in the queue. */
export function isEarlier({ place: a }: WaitingJob, { place: b }: WaitingJob): boolean {
  const index = a.findIndex((part, at) => part !== b[at]);
  return index >= 0 && (a[index] ?? 0) < (b[index] ?? 0);
}

/** Updates the counts for jobs that were added, removed or changed since `old`. */
export function countJobs(
  database: Database,
  old: Tree | undefined,
  { build, plan }: Tree,
  changed: readonly JobChange[],
  removed: readonly Job[] = [],
): void {
  const by = new Map<string, { queue: string; state: JobState; n: number }>();
  const add = (job: Job | undefined, { steps }: Plan, n: number): void => {
    if (job === undefined || !counted.has(job.state)) return;
    const { state } = job;
    const queue = queueOf(job, steps[job.step]);
    const key = `${state} ${queue}`;
    by.set(key, { queue, state, n: (by.get(key)?.n ?? 0) + n });
  };
  for (const { before, after } of changed) {
    add(before, old?.plan ?? plan, -1);
    add(after, plan, 1);
  }
  for (const job of removed) add(job, old?.plan ?? plan, -1);
  for (const { queue, state, n } of by.values())
    if (n !== 0)
      database.run(
        `insert into job_counts (pipeline_id, queue, state, n) values (?, ?, ?, ?)
         on conflict do update set n = n + excluded.n`,
        ...[build.pipelineId, queue, state, n],
      );
}

const counted: ReadonlySet<JobState> = new Set<JobState>([
  ...([
    'scheduled',
    'accepted',
    'running',
    'timing_out',
    'canceling',
    'waiting',
    'limited',
  ] as const),
]);
