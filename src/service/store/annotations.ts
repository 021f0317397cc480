/** Annotations of builds. */
import type { Annotation } from '../domain/records.ts';
import type { Slice } from './build-lists.ts';
import type { Database } from './database.ts';
import { readRecord, readRecordMaybe, writeRecord } from './records.ts';

export type Annotations = ReturnType<typeof annotations>;

export const annotations = (database: Database) => ({
  find: (buildId: string, context: string): Annotation | undefined =>
    readRecordMaybe(
      database.get(
        'select data from annotations where build_id = ? and context = ?',
        buildId,
        context,
      ),
    ),
  byId: (id: string): Annotation | undefined =>
    readRecordMaybe(database.get('select data from annotations where id = ?', id)),
  /** The higher priority first, then the older. */
  list: (buildId: string, { offset, limit }: Slice): Annotation[] =>
    database
      .all(
        'select data from annotations where build_id = ? order by priority desc, seq limit ? offset ?',
        buildId,
        limit,
        offset,
      )
      .map(readRecord<Annotation>),
  count: (buildId: string): number =>
    Number(database.get('select count(*) as n from annotations where build_id = ?', buildId)?.n),
  put: (annotation: Annotation) => {
    database.run(
      `insert into annotations (id, build_id, context, priority, data) values (?, ?, ?, ?, ?)
       on conflict (build_id, context) do update set priority = excluded.priority, data = excluded.data`,
      annotation.id,
      annotation.buildId,
      annotation.context,
      annotation.priority,
      writeRecord(annotation),
    );
  },
  /** Whether there was one. */
  remove: (buildId: string, id: string): boolean =>
    database.get(
      'delete from annotations where build_id = ? and id = ? returning id',
      buildId,
      id,
    ) !== undefined,
});
