/** Jobs that share a limit on how many of them run at once. */
import type { Database, Row } from './database.ts';
import type { JobOfBuild } from './build-jobs.ts';
import type { Job } from '../domain/records.ts';
import { readRecord } from './records.ts';

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
