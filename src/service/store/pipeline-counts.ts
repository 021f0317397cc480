/** How much of a pipeline is under way, from counts that are kept with each change. */
import type { JobChange } from '../domain/job-list.ts';
import type { Job, JobState, Tree } from '../domain/records.ts';
import type { Database, Row } from './database.ts';

export interface PipelineCounts {
  readonly scheduled_builds_count: number;
  readonly running_builds_count: number;
  readonly scheduled_jobs_count: number;
  readonly running_jobs_count: number;
  readonly waiting_jobs_count: number;
}

/** Specification, "Pipeline". */
export function pipelineCounts(database: Database, pipelineId: string): PipelineCounts {
  const builds = going.flatMap((value) => database.all(buildSql, pipelineId, value));
  const jobs = database.all('select state, n from job_counts where pipeline_id = ?', pipelineId);
  return {
    scheduled_builds_count: sum(builds, 'scheduled/0'),
    running_builds_count: sum(builds, ...going.slice(1)),
    scheduled_jobs_count: sum(jobs, 'scheduled'),
    running_jobs_count: sum(jobs, 'running', 'canceling'),
    waiting_jobs_count: sum(jobs, 'waiting', 'limited'),
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

const going = [
  ...[
    'scheduled/0',
    'running/0',
    'running/1',
    'failing/0',
    'failing/1',
    'canceling/0',
    'canceling/1',
  ],
];

const buildSql = `select value as state, n from build_counts
  where scope = ? and name = 'state' and value = ?`;

const jobSql = `insert into job_counts (pipeline_id, state, n) values (?, ?, ?)
  on conflict do update set n = n + excluded.n`;

const sum = (rows: readonly Row[], ...states: string[]): number =>
  rows.reduce((n, row) => n + (states.includes(String(row.state)) ? Number(row.n) : 0), 0);
