import type { Pipeline } from '../../domain/records.ts';
import type { Database } from '../database.ts';
import { createKnownCounts, createKnownRecords, type TreeCache } from '../caches.ts';
import { readRecord, readRecordMaybe, writeRecord } from '../sql.ts';

export type Pipelines = ReturnType<typeof pipelines>;

export const pipelines = (
  database: Database,
  trees: TreeCache,
  known = createKnownRecords(),
  counts = createKnownCounts(),
) => ({
  add: (pipeline: Pipeline) => {
    database.run(
      'insert into pipelines (id, organization_id, slug, data) values (?, ?, ?, ?)',
      pipeline.id,
      pipeline.organizationId,
      pipeline.slug,
      writeRecord(pipeline),
    );
  },
  update: (pipeline: Pipeline) => {
    database.run('update pipelines set data = ? where id = ?', writeRecord(pipeline), pipeline.id);
    known.clear();
  },
  /** Its builds, jobs and annotations go with it. */
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
      return readRecordMaybe(database.get(sql, organizationId, slug));
    }),
  byId: (id: string): Pipeline | undefined =>
    known.get('pipeline by id', id, () =>
      readRecordMaybe(database.get('select data from pipelines where id = ?', id)),
    ),
  /** The number of its last build, 0 before the first. */
  lastNumber: (id: string): number =>
    Number(database.get('select last_number from pipelines where id = ?', id)?.last_number ?? 0),
  /** The number of the next build: never given twice. Belongs in the build's transaction. */
  nextNumber: (id: string): number =>
    Number(
      database.get(
        'update pipelines set last_number = last_number + 1 where id = ? returning last_number',
        id,
      )?.last_number,
    ),
});
