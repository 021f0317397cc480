/** The jobs that wait for an agent, by what they demand of one. */
import { demandOf } from '../../domain/agents.ts';
import type { Build, Job } from '../../domain/records.ts';
import type { Plan } from '../../pipeline/plan.ts';
import { jobOfBuild, type JobOfBuild } from './jobs.ts';
import type { Database, Row } from '../database.ts';

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
