/** The requests of jobs that have been applied, by the ids that their agents made for them. */
import type { Database } from '../database.ts';

export type AppliedRequests = ReturnType<typeof appliedRequests>;

export interface RequestOfJob {
  readonly buildId: string;
  readonly jobId: string;
  readonly uuid: string;
}

export const appliedRequests = (database: Database) => ({
  has: ({ jobId, uuid }: Omit<RequestOfJob, 'buildId'>): boolean =>
    database.get('select 1 from applied_requests where job_id = ? and uuid = ?', jobId, uuid) !==
    undefined,
  /** In the transaction that applies it: no crash comes between. */
  add: ({ buildId, jobId, uuid }: RequestOfJob) => {
    database.run(
      'insert into applied_requests (job_id, uuid, build_id) values (?, ?, ?)',
      ...[jobId, uuid, buildId],
    );
  },
});
