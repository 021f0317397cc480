/** How much of a pipeline is under way, from counts that are kept with each change. */
import type { QueueCount } from '../domain/metrics.ts';
import type { JobChange } from '../domain/job-list.ts';
import type { Job, JobState, Tree } from '../domain/records.ts';
import type { Plan } from '../pipeline/plan.ts';
import type { Database } from './database.ts';
import { queueOf } from './tables/jobs.ts';

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
