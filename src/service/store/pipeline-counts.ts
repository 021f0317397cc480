/** How much of a pipeline is under way, from counts that are kept with each change. */
import type { JobChange } from '../domain/job-list.ts';
import type { Job, JobState, Tree } from '../domain/records.ts';
import type { Database } from './database.ts';

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

/** Counts the jobs that have come to be, gone, or changed their state. */
export function countJobs(
  database: Database,
  { build }: Tree,
  changed: readonly JobChange[],
  removed: readonly Job[] = [],
): void {
  const by = new Map<JobState, number>();
  const add = (state: JobState | undefined, n: number): void => {
    if (state !== undefined && counted.has(state)) by.set(state, (by.get(state) ?? 0) + n);
  };
  for (const { before, after } of changed) {
    add(before?.state, -1);
    add(after.state, 1);
  }
  for (const { state } of removed) add(state, -1);
  for (const [state, n] of by) if (n !== 0) database.run(jobSql, build.pipelineId, state, n);
}

const counted: ReadonlySet<JobState> = new Set([
  ...(['scheduled', 'running', 'canceling', 'waiting', 'limited'] as const),
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
  ${jobsIn('scheduled')} as scheduled_jobs, ${jobsIn('running', 'canceling')} as running_jobs,
  ${jobsIn('waiting', 'limited')} as waiting_jobs`;

const jobSql = `insert into job_counts (pipeline_id, state, n) values (?, ?, ?)
  on conflict do update set n = n + excluded.n`;
