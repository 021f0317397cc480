/** Annotations of builds. */
import type { Annotation, AnnotationStyle } from '../../domain/records.ts';
import type { Slice } from '../build-lists.ts';
import type { Database } from '../database.ts';
import { readRecordMaybe, writeRecord } from '../sql.ts';

export type Annotations = ReturnType<typeof annotations>;

/** What it can be found and sorted by. */
export type AnnotationHead = Pick<
  Annotation,
  'id' | 'context' | 'style' | 'priority' | 'createdAt'
>;

export const annotations = (database: Database) => ({
  /** Of the build, or of one job of it. */
  find: (buildId: string, context: string, jobId: string | null = null): Annotation | undefined =>
    readRecordMaybe(
      database.get(
        'select data from annotations where build_id = ? and context = ? and job_id = ?',
        ...[buildId, context, jobId ?? ''],
      ),
    ),
  byId: (id: string): Annotation | undefined =>
    readRecordMaybe(database.get('select data from annotations where id = ?', id)),
  /** Ids, those of the higher priority first, then the older: each may have megabytes of text. */
  ids: (buildId: string, { offset, limit }: Slice): string[] =>
    database
      .all(
        `select id from annotations indexed by annotation_heads
         where build_id = ? order by priority desc, seq limit ? offset ?`,
        ...[buildId, limit, offset],
      )
      .map(({ id }) => String(id)),
  /** All of a build without their texts, the higher priority first, then the older. */
  heads: (buildId: string): AnnotationHead[] =>
    database
      .all(
        `select id, context, style, priority, created_at from annotations indexed by annotation_heads
         where build_id = ? order by priority desc, seq`,
        buildId,
      )
      .map((row) => ({
        ...{ id: String(row.id), context: String(row.context), priority: Number(row.priority) },
        ...{ style: row.style as AnnotationStyle, createdAt: Number(row.created_at) },
      })),
  count: (buildId: string): number =>
    Number(database.get('select count(*) as n from annotations where build_id = ?', buildId)?.n),
  put: (annotation: Annotation) => {
    database.run(
      `insert into annotations (id, build_id, job_id, context, priority, style, created_at, data)
       values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (build_id, context, job_id) do update set
         priority = excluded.priority, style = excluded.style, data = excluded.data`,
      annotation.id,
      annotation.buildId,
      annotation.jobId ?? '',
      annotation.context,
      annotation.priority,
      annotation.style,
      annotation.createdAt,
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
