/** Start times that agents have reported for log sections without timestamps. */
import type { Database } from '../database.ts';

export interface HeaderTime {
  /** Index of the section in the log. */
  readonly position: number;
  /** Nanoseconds since the epoch. */
  readonly time: string;
}

export const headerTimes = (database: Database) => ({
  /** In log order. Empty if the log itself has timestamps. */
  ofJob: (jobId: string): string[] =>
    database
      .all('select time from header_times where job_id = ? order by position', jobId)
      .map(({ time }) => String(time)),
  put: ({ buildId, jobId }: { buildId: string; jobId: string }, times: readonly HeaderTime[]) => {
    for (const { position, time } of times)
      database.run(
        'insert or replace into header_times (job_id, position, time, build_id) values (?, ?, ?, ?)',
        ...[jobId, position, time, buildId],
      );
  },
});
