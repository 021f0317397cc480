import type { Pipeline } from '../../domain/records.ts';
import type { Database } from '../database.ts';
import { createKnownCounts, createKnownRecords, type TreeCache } from '../caches.ts';
import { findRecord, insert, readRecord, writeRecord } from '../sql.ts';

export const pipelines = (
  database: Database,
  trees: TreeCache,
  known = createKnownRecords(),
  counts = createKnownCounts(),
) => ({
  add: (pipeline: Pipeline) => {
    const { id, organizationId, slug } = pipeline;
    const data = writeRecord(pipeline);
    insert(database, 'pipelines', { id, organization_id: organizationId, slug, data });
  },
  update: (pipeline: Pipeline) => {
    database.run('update pipelines set data = ? where id = ?', writeRecord(pipeline), pipeline.id);
    known.clear();
  },
  /** Removes the pipeline with its builds, jobs and annotations. */
  remove: (id: string) => {
    database.run('delete from pipelines where id = ?', id);
    trees.clear();
    known.clear();
    counts.clear();
  },
  list: (organizationId: string): Pipeline[] =>
    database
      .all('select data from pipelines where organization_id = ? order by seq', organizationId)
      .map(readRecord<Pipeline>),
  find: (organizationId: string, slug: string): Pipeline | undefined =>
    known.get('pipeline', `${organizationId} ${slug}`, () => {
      const sql = 'select data from pipelines where organization_id = ? and slug = ?';
      return findRecord(database, sql, organizationId, slug);
    }),
  byId: (id: string): Pipeline | undefined =>
    known.get('pipeline by id', id, () =>
      findRecord(database, 'select data from pipelines where id = ?', id),
    ),
  /** The number of the latest build, or 0 if there are no builds. */
  lastNumber: (id: string): number =>
    Number(database.get('select last_number from pipelines where id = ?', id)?.last_number ?? 0),
  /** The next build number. Must be called in the transaction that creates the build. */
  nextNumber: (id: string): number =>
    Number(
      database.get(
        'update pipelines set last_number = last_number + 1 where id = ? returning last_number',
        id,
      )?.last_number,
    ),
});
