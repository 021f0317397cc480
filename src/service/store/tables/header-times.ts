/** When the sections of logs began that have no time marks, as their agents say. */
import type { Database } from '../database.ts';

export type HeaderTimeRecords = ReturnType<typeof headerTimes>;

/** Of the section at this position in the log, counted from 0; nanoseconds since the epoch. */
export interface HeaderTime {
  readonly position: number;
  readonly time: string;
}

export const headerTimes = (database: Database) => ({
  /** In the order of the log; empty where the log has marks itself. */
  ofJob: (jobId: string): string[] =>
    database
      .all('select time from header_times where job_id = ? order by position', jobId)
      .map(({ time }) => String(time)),
  /** One that is said again counts as it was said last. */
  put: (job: { buildId: string; jobId: string }, times: readonly HeaderTime[]) => {
    for (const { position, time } of times)
      database.run(
        'insert or replace into header_times (job_id, position, time, build_id) values (?, ?, ?, ?)',
        ...[job.jobId, position, time, job.buildId],
      );
  },
});
