import type { Database } from '../database.ts';
import { insert } from '../sql.ts';

/** A request from a job, identified by a UUID that the job's agent has generated. */
export interface RequestOfJob {
  readonly buildId: string;
  readonly jobId: string;
  readonly uuid: string;
}

export const appliedRequests = (database: Database) => ({
  has: ({ jobId, uuid }: Omit<RequestOfJob, 'buildId'>): boolean =>
    database.get('select 1 from applied_requests where job_id = ? and uuid = ?', jobId, uuid) !==
    undefined,
  /** Must be called in the transaction that applies the request. */
  add: ({ buildId, jobId, uuid }: RequestOfJob) => {
    insert(database, 'applied_requests', { job_id: jobId, uuid, build_id: buildId });
  },
});
