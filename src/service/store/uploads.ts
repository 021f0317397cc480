/** The pipeline uploads of jobs that have been applied, by the ids that their agents made for them. */
import type { Database } from './database.ts';

export type Uploads = ReturnType<typeof uploads>;

export const uploads = (database: Database) => ({
  has: (jobId: string, uuid: string): boolean =>
    database.get('select 1 from uploads where job_id = ? and uuid = ?', jobId, uuid) !== undefined,
  add: (upload: { buildId: string; jobId: string; uuid: string }) => {
    database.run(
      'insert into uploads (job_id, uuid, build_id) values (?, ?, ?)',
      ...[upload.jobId, upload.uuid, upload.buildId],
    );
  },
});
