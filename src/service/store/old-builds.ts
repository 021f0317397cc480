/** Builds that may go: what is found of them, and their removal. */
import type { Build } from '../domain/records.ts';
import type { Database, Row } from './database.ts';
import { placeOf } from './tables/builds.ts';
import type { KnownCounts, TreeCache } from './caches.ts';
import { readRecord } from './sql.ts';

export type OldBuilds = ReturnType<typeof oldBuilds>;

/** A build that is gone, whose files may still be there. */
export interface RemovedBuild {
  readonly buildId: string;
  readonly jobIds: readonly string[];
}

/** Builds that were looked at, as they were made. */
export interface OldPart {
  /** Ids of those that have come to an end. */
  readonly ids: readonly string[];
  /** Where the next part begins; null behind the last. */
  readonly next: number | null;
}

export const oldBuilds = (database: Database, trees: TreeCache, counts: KnownCounts) => ({
  /** Up to `most` builds from a place on that came to their end before `finishedBefore`. */
  finishedBefore: (finishedBefore: number, from: number, most: number): OldPart =>
    partOf(
      database.all(
        'select seq, id, blocked, finished_at from builds where seq >= ? order by seq limit ?',
        ...[from, most],
      ),
      most,
      ({ finished_at: at }) => at !== null && Number(at) < finishedBefore,
    ),
  /** The same of one pipeline, of those before its `newest` ones. */
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
    return partOf(rows, most, ({ finished_at: at }) => at !== null);
  },
  /** The oldest builds of a pipeline, but those under way. */
  ofPipeline: (pipelineId: string, most: number): string[] =>
    database
      .all(
        `select id from builds indexed by builds_by_pipeline
         where pipeline_id = ? and state not in ('scheduled', 'running', 'failing', 'canceling')
         order by seq limit ?`,
        ...[pipelineId, most],
      )
      .map(({ id }) => String(id)),
  /** Builds that those refer to which have not come to an end, or wait for a person. */
  inUse: (): ReadonlySet<string> => {
    const builds = database
      .all('select data from builds where finished_at is null or blocked')
      .map(readRecord<Build>);
    const triggered = database.all(
      `select json_extract(j.data, '$.triggered.buildId') as id from builds b
       cross join jobs j on j.build_id = b.id where b.finished_at is null or b.blocked`,
    );
    return new Set(
      [
        ...builds.flatMap((build) => [build.rebuiltFrom?.id, build.triggeredFrom?.buildId]),
        ...triggered.map(({ id }) => (typeof id === 'string' ? id : undefined)),
      ].filter((id) => id !== undefined),
    );
  },
  /** Takes a build with its jobs out; its files are written down as still to be removed. */
  remove: (buildId: string): RemovedBuild => {
    const jobIds = database
      .all('select id from jobs where build_id = ?', buildId)
      .map(({ id }) => String(id));
    database.run(
      'insert or replace into removed_builds (build_id, job_ids) values (?, ?)',
      ...[buildId, JSON.stringify(jobIds)],
    );
    counts.touch(() => placeOf(database, buildId));
    database.run('delete from builds where id = ?', buildId);
    trees.drop(buildId);
    return { buildId, jobIds };
  },
  /** Those whose files were not seen to be gone. */
  removed: (): RemovedBuild[] =>
    database.all('select build_id, job_ids from removed_builds').map((row) => ({
      buildId: String(row['build_id']),
      jobIds: JSON.parse(String(row['job_ids'])) as string[],
    })),
  filesGone: (buildIds: readonly string[]): void => {
    database.transaction(() => {
      for (const id of buildIds) database.run('delete from removed_builds where build_id = ?', id);
    });
  },
});

/** One that waits for a person has not come to its end. */
function partOf(rows: readonly Row[], most: number, isOld: (row: Row) => boolean): OldPart {
  const last = rows.length < most ? undefined : rows.at(-1);
  return {
    ids: rows.filter((row) => !row['blocked'] && isOld(row)).map(({ id }) => String(id)),
    next: last === undefined ? null : Number(last['seq']) + 1,
  };
}
