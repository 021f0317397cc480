/** Jobs by themselves, and the agents that have had them. */
import type { Agent, Job, Build, Tree, JobState } from '../../domain/records.ts';
import type { Database, Row } from '../database.ts';
import { readRecord, writeRecord } from '../sql.ts';
import { demandOf } from '../../domain/agents.ts';
import type { Step, Plan } from '../../pipeline/plan.ts';
import type { QueueCount } from '../../domain/metrics.ts';
import type { JobChange } from '../../domain/job-list.ts';

/** A job beside the build that it belongs to. */
interface JobOfBuild {
  readonly buildId: string;
  readonly job: Job;
}

export const buildJobs = (database: Database) => ({
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
    return row === undefined ? undefined : (readRecord<Job>(row).agent ?? undefined);
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
  /** Jobs in these states, the oldest first. */
  jobsIn: (...states: Job['state'][]): JobOfBuild[] =>
    states
      .flatMap((state) =>
        database.all('select seq, build_id, data from jobs where state = ?', state),
      )
      .sort((a, b) => Number(a.seq) - Number(b.seq))
      .map(jobOfBuild),
});

const jobOfBuild = (row: Row): JobOfBuild => ({
  buildId: String(row.build_id),
  job: readRecord<Job>(row),
});

// Jobs that share a limit on how many of them run at once.

/** A job that waits for room, beside the place of its build among all. */
export interface LimitedJob extends JobOfBuild {
  readonly buildSeq: number;
}

export const groupJobs = (database: Database) => ({
  /** How many jobs of a group have been let through and have not come to an end. */
  groupLoad: (group: string): number =>
    Number(
      database.get(
        `select count(*) as n from jobs
         where concurrency_group = ? and state in ('scheduled', 'accepted', 'running', 'timing_out', 'canceling')`,
        group,
      )?.n,
    ),
  /** The first job of a group that waits for room, as jobs were created. */
  nextLimited: (group: string): LimitedJob | undefined => {
    const row = database.get(
      `select build_id, data, build_seq from jobs
       where concurrency_group = ? and state = 'limited' order by build_seq, position, seq limit 1`,
      group,
    );
    return row === undefined ? undefined : limitedJob(row);
  },
  /**
   * How many jobs of a group, at most `limit`, were created before in other builds and are not ready
   * yet. A build that waits for a person holds nobody up.
   */
  earlierInGroup: (group: string, { buildSeq }: LimitedJob, limit: number): number =>
    database.all(
      `select 1 as yes from jobs
       where concurrency_group = ? and state = 'waiting' and build_seq < ?
         and not (select blocked from builds where id = build_id) limit ?`,
      group,
      buildSeq,
      limit,
    ).length,
});

const limitedJob = (row: Row): LimitedJob => ({
  buildId: String(row.build_id),
  job: readRecord<Job>(row),
  buildSeq: Number(row.build_seq),
});

// Rows of jobs. Beside a job stand the columns by which the next one for a slot is found.

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

/** Groups are those of an organization. */
export const concurrencyGroup = (build: Build, step: Step | undefined): string | null =>
  step?.type === 'command' && step.concurrency !== null
    ? `${build.organizationId}/${step.concurrency.group}`
    : null;

export function updateJob(database: Database, job: Job): void {
  database.run(
    'update jobs set position = ?, state = ?, priority = ?, data = ? where id = ?',
    job.step,
    job.state,
    job.priority,
    writeRecord(job),
    job.id,
  );
}

export function removeJob(database: Database, { id }: Job): void {
  database.run('delete from jobs where id = ?', id);
}

/** The rule that names the queue of a job, `queue=default` where none does; empty where no agent takes it. */
function queueOf({ type }: Pick<Job, 'type'>, step: Step | undefined): string {
  if (type !== 'script') return '';
  const rules = step?.type === 'command' ? step.agentQueryRules : [];
  return rules.find((rule) => rule.startsWith('queue=')) ?? 'queue=default';
}

// The jobs that wait for an agent, by what they demand of one.

export type WaitingJobs = ReturnType<typeof waitingJobs>;

/** A job that is scheduled, with its place among all that are: the smaller, the earlier. */
export interface WaitingJob extends JobOfBuild {
  readonly place: readonly number[];
}

export const waitingJobs = (database: Database) => ({
  /** Those of one demand, at most `limit`: of the highest priority, then of the oldest build, as its steps stand. */
  next: (demand: string, limit: number): WaitingJob[] =>
    database
      .all(
        `select build_id, data, priority, build_seq, position, seq from jobs indexed by jobs_to_start
         where state = 'scheduled' and json_extract(data, '$.type') = 'script' and demand = ?
         order by priority desc, build_seq, position, seq limit ?`,
        ...[demand, limit],
      )
      .map(waitingJob),
  /** What jobs demand that are scheduled now, each once. */
  demands: (): string[] =>
    database
      .all(
        `select distinct demand from jobs indexed by jobs_to_start
         where state = 'scheduled' and json_extract(data, '$.type') = 'script'`,
      )
      .map(({ demand }) => String(demand)),
  /** How many are scheduled of one demand. */
  count: (demand: string): number =>
    Number(
      database.get(
        `select count(*) as n from jobs indexed by jobs_to_start
         where state = 'scheduled' and json_extract(data, '$.type') = 'script' and demand = ?`,
        demand,
      )?.n,
    ),
  /** Some of those that could have run since before a time. */
  before: (at: number): JobOfBuild[] =>
    database
      .all(
        `select build_id, data from jobs indexed by jobs_to_start
         where state = 'scheduled' and json_extract(data, '$.type') = 'script'
           and json_extract(data, '$.runnableAt') < ? limit 1000`,
        at,
      )
      .map(jobOfBuild),
  /** The demands of jobs that were written down by a version that knew none. */
  fillDemands: () => {
    const rows = database.all(
      `select j.id, j.data as job, b.data as build, p.plan from jobs j
       join builds b on b.id = j.build_id join plans p on p.build_id = j.build_id
       where j.demand = '' and j.state in ('waiting', 'waiting_failed', 'limited', 'scheduled')
         and json_extract(j.data, '$.type') = 'script'`,
    );
    for (const { id = '', job, build, plan } of rows) {
      const record = JSON.parse(String(job)) as Job;
      const step = (JSON.parse(String(plan)) as Plan).steps[record.step];
      const demand = demandOf(JSON.parse(String(build)) as Build, record, step);
      database.run('update jobs set demand = ? where id = ?', demand, id);
    }
  },
});

const waitingJob = (row: Row): WaitingJob => ({
  ...jobOfBuild(row),
  place: [-Number(row.priority), Number(row.build_seq), Number(row.position), Number(row.seq)],
});

/** Whether the first comes before the second. */
export function isEarlier({ place: a }: WaitingJob, { place: b }: WaitingJob): boolean {
  const index = a.findIndex((part, at) => part !== b[at]);
  return index >= 0 && (a[index] ?? 0) < (b[index] ?? 0);
}

// How much of a pipeline is under way, from counts that are kept with each change.

export interface PipelineCounts {
  readonly scheduled_builds_count: number;
  readonly running_builds_count: number;
  readonly scheduled_jobs_count: number;
  readonly running_jobs_count: number;
  readonly waiting_jobs_count: number;
}

/** Specification, "Pipeline". */
export function pipelineCounts(database: Database, pipelineId: string): PipelineCounts {
  const row = database.get(sql, ...Array<string>(5).fill(pipelineId)) ?? {};
  return {
    scheduled_builds_count: Number(row.scheduled_builds),
    running_builds_count: Number(row.running_builds),
    scheduled_jobs_count: Number(row.scheduled_jobs),
    running_jobs_count: Number(row.running_jobs),
    waiting_jobs_count: Number(row.waiting_jobs),
  };
}

/** How many jobs of an organization that agents take are in a state, by the name of their queue. */
export function queueCounts(database: Database, organizationId: string): QueueCount[] {
  const counts = new Map<string, QueueCount>();
  for (const row of database.all(queueSql, organizationId)) {
    const queue = String(row.queue).slice('queue='.length);
    const state = row.state as JobState;
    const key = `${state} ${queue}`;
    counts.set(key, { queue, state, n: (counts.get(key)?.n ?? 0) + Number(row.n) });
  }
  return [...counts.values()];
}

/** Counts the jobs that have come to be, gone, or changed their state since `old`. */
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
    if (n !== 0) database.run(jobSql, build.pipelineId, queue, state, n);
}

const counted: ReadonlySet<JobState> = new Set([
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

const buildsIn = (...states: readonly string[]): string =>
  `(select coalesce(sum(n), 0) from build_counts where scope = ? and name = 'state'
    and value in (${states.map((state) => `'${state}/0', '${state}/1'`).join()}))`;

const jobsIn = (...states: readonly JobState[]): string =>
  `(select coalesce(sum(n), 0) from job_counts where pipeline_id = ?
    and state in (${states.map((state) => `'${state}'`).join()}))`;

/** All at once: each statement costs more than what it finds. */
const sql = `select ${buildsIn('scheduled')} as scheduled_builds,
  ${buildsIn('running', 'failing', 'canceling')} as running_builds,
  ${jobsIn('scheduled')} as scheduled_jobs, ${jobsIn('accepted', 'running', 'timing_out', 'canceling')} as running_jobs,
  ${jobsIn('waiting', 'limited')} as waiting_jobs`;

const jobSql = `insert into job_counts (pipeline_id, queue, state, n) values (?, ?, ?, ?)
  on conflict do update set n = n + excluded.n`;

const queueSql = `select c.queue, c.state, c.n
  from pipelines p cross join job_counts c on c.pipeline_id = p.id and c.queue > '' and c.n > 0
  where p.organization_id = ?`;
