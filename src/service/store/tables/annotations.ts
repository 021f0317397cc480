import type { Annotation, AnnotationStyle } from '../../domain/records.ts';
import type { Slice } from '../build-lists.ts';
import type { Database } from '../database.ts';
import { findRecord, readIds, readNumber, writeRecord } from '../sql.ts';

/** An annotation without its text, which can be several megabytes. */
export type AnnotationHead = Pick<
  Annotation,
  'id' | 'context' | 'style' | 'priority' | 'createdAt'
>;

export const annotations = (database: Database) => ({
  /** Finds an annotation of the build itself or of one of its jobs. */
  find: (buildId: string, context: string, jobId: string | null = null): Annotation | undefined =>
    findRecord(
      database,
      'select data from annotations where build_id = ? and context = ? and job_id = ?',
      ...[buildId, context, jobId ?? ''],
    ),
  byId: (id: string): Annotation | undefined =>
    findRecord(database, 'select data from annotations where id = ?', id),
  /** Lists annotations with the highest priority first, then the oldest first. */
  ids: (buildId: string, { offset, limit }: Slice): string[] =>
    readIds(
      database,
      `select id from annotations indexed by annotation_heads
       where build_id = ? order by priority desc, seq limit ? offset ?`,
      ...[buildId, limit, offset],
    ),
  /** Lists annotations with the highest priority first, then the oldest first. */
  heads: (buildId: string): AnnotationHead[] =>
    database
      .all(
        `select id, context, style, priority, created_at from annotations indexed by annotation_heads
         where build_id = ? order by priority desc, seq`,
        buildId,
      )
      .map((row) => ({
        id: String(row.id),
        context: String(row.context),
        style: row.style as AnnotationStyle,
        priority: Number(row.priority),
        createdAt: Number(row.created_at),
      })),
  count: (buildId: string): number =>
    readNumber(database, 'select count(*) as n from annotations where build_id = ?', buildId),
  put: (annotation: Annotation) => {
    const { id, buildId, jobId = '', context, priority, style, createdAt } = annotation;
    database.run(
      `insert into annotations (id, build_id, job_id, context, priority, style, created_at, data)
       values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (build_id, context, job_id) do update set
         priority = excluded.priority, style = excluded.style, data = excluded.data`,
      ...[id, buildId, jobId, context, priority, style, createdAt, writeRecord(annotation)],
    );
  },
  /** Returns whether the annotation existed. */
  remove: (buildId: string, id: string): boolean =>
    database.get(
      'delete from annotations where build_id = ? and id = ? returning id',
      buildId,
      id,
    ) !== undefined,
});
