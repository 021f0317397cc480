import type { Pipeline } from '../domain/records.ts';
import type { Database } from './database.ts';
import { read, readMaybe, write } from './records.ts';

export type Pipelines = ReturnType<typeof pipelines>;

export const pipelines = (database: Database) => ({
  add: (pipeline: Pipeline) => {
    database.run(
      'insert into pipelines (id, organization_id, slug, data) values (?, ?, ?, ?)',
      pipeline.id,
      pipeline.organizationId,
      pipeline.slug,
      write(pipeline),
    );
  },
  update: (pipeline: Pipeline) => {
    database.run('update pipelines set data = ? where id = ?', write(pipeline), pipeline.id);
  },
  /** Its builds, jobs and annotations go with it. */
  remove: (id: string) => {
    database.run('delete from pipelines where id = ?', id);
  },
  list: (organizationId: string): Pipeline[] =>
    database
      .all('select data from pipelines where organization_id = ? order by seq', organizationId)
      .map(read<Pipeline>),
  find: (organizationId: string, slug: string): Pipeline | undefined =>
    readMaybe(
      database.get(
        'select data from pipelines where organization_id = ? and slug = ?',
        organizationId,
        slug,
      ),
    ),
  byId: (id: string): Pipeline | undefined =>
    readMaybe(database.get('select data from pipelines where id = ?', id)),
  /** The number of the next build: never given twice. Belongs in the build's transaction. */
  nextNumber: (id: string): number =>
    Number(
      database.get(
        'update pipelines set last_number = last_number + 1 where id = ? returning last_number',
        id,
      )?.last_number,
    ),
});
