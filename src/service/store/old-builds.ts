/** Finds and removes builds that are no longer needed. */
import type { Build } from '../domain/records.ts';
import type { Database, Row } from './database.ts';
import { placeOf } from './tables/builds.ts';
import { readIds, readRecord } from './sql.ts';
import type { KnownCounts, TreeCache } from './caches.ts';

/** A removed build. Its files may still exist. */
export interface RemovedBuild {
  readonly buildId: string;
  readonly jobIds: readonly string[];
}

/** The result of checking one slice of the builds. Slices are in order of creation. */
export interface OldPart {
  /** IDs of builds that may be removed. Excludes unfinished and blocked builds. */
  readonly ids: readonly string[];
  /** Position where the next slice starts; null after the last slice. */
  readonly next: number | null;
}

export const oldBuilds = (database: Database, trees: TreeCache, counts: KnownCounts) => ({
  /**
   * Checks up to `most` builds from position `from`. Returns those that finished before the given
   * time.
   */
  finishedBefore: (finishedBefore: number, from: number, most: number): OldPart => {
    const rows = database.all(
      'select seq, id, blocked, finished_at from builds where seq >= ? order by seq limit ?',
      ...[from, most],
    );
    return partOf(rows, most, ({ finished_at: at }) => Number(at) < finishedBefore);
  },
  /** Checks the builds of a pipeline, except the latest `newest` builds. */
  beforeNewest: (pipelineId: string, newest: number, from: number, most: number): OldPart => {
    const oldest = database.get(
      'select seq from builds where pipeline_id = ? order by seq desc limit 1 offset ?',
      ...[pipelineId, newest - 1],
    );
    const rows = database.all(
      `select seq, id, blocked, finished_at from builds
       where pipeline_id = ? and seq >= ? and seq < ? order by seq limit ?`,
      ...[pipelineId, from, Number(oldest?.['seq'] ?? 0), most],
    );
    return partOf(rows, most, () => true);
  },
  /** Returns the oldest builds of a pipeline, except those in progress. */
  ofPipeline: (pipelineId: string, most: number): string[] =>
    readIds(
      database,
      `select id from builds indexed by builds_by_pipeline
       where pipeline_id = ? and state not in ('scheduled', 'running', 'failing', 'canceling')
       order by seq limit ?`,
      ...[pipelineId, most],
    ),
  /** Returns the builds that unfinished or blocked builds refer to. */
  inUse: (): ReadonlySet<string> => {
    const referring = database
      .all('select data from builds where finished_at is null or blocked')
      .map(readRecord<Build>)
      .flatMap((build) => [build.rebuiltFrom?.id, build.triggeredFrom?.buildId]);
    const triggered = database
      .all(
        `select json_extract(j.data, '$.triggered.buildId') as id from builds b
         cross join jobs j on j.build_id = b.id where b.finished_at is null or b.blocked`,
      )
      .map(({ id }) => (typeof id === 'string' ? id : undefined));
    return new Set([...referring, ...triggered].filter((id) => id !== undefined));
  },
  find: (buildId: string): RemovedBuild => ({
    buildId,
    jobIds: readIds(database, 'select id from jobs where build_id = ?', buildId),
  }),
  /** Removes a build and its jobs, and records that its files must be removed too. */
  remove: ({ buildId, jobIds }: RemovedBuild): void => {
    counts.touch(() => placeOf(database, buildId));
    database.run('delete from builds where id = ?', buildId);
    // Inserted last, so that SQLite reuses the freed pages and the file does not grow.
    database.run(
      'insert or replace into removed_builds (build_id, job_ids) values (?, ?)',
      ...[buildId, JSON.stringify(jobIds)],
    );
    trees.drop(buildId);
  },
  removed: (): RemovedBuild[] =>
    database.all('select build_id, job_ids from removed_builds').map((row) => ({
      buildId: String(row['build_id']),
      jobIds: JSON.parse(String(row['job_ids'])) as string[],
    })),
  /** Records that the files of these builds have been removed. */
  filesGone: (buildIds: readonly string[]): void => {
    database.transaction(() => {
      for (const id of buildIds) database.run('delete from removed_builds where build_id = ?', id);
    });
  },
});

function partOf(rows: readonly Row[], most: number, isOld: (row: Row) => boolean): OldPart {
  const last = rows.length < most ? undefined : rows.at(-1);
  const old = rows.filter((row) => !row['blocked'] && row['finished_at'] !== null && isOld(row));
  return {
    ids: old.map(({ id }) => String(id)),
    next: last === undefined ? null : Number(last['seq']) + 1,
  };
}
