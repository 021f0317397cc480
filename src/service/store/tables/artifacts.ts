/** Artifacts of builds; their bytes are in `artifact-files.ts`. */
import type { Artifact } from '../../domain/records.ts';
import type { Slice } from '../build-lists.ts';
import type { Database } from '../database.ts';
import { readRecord, readRecordMaybe, writeRecord } from '../sql.ts';

export type Artifacts = ReturnType<typeof artifacts>;

/** All of a build, or those of one job. */
export type ArtifactOwner = { readonly buildId: string } | { readonly jobId: string };

export const artifacts = (database: Database) => ({
  byId: (id: string): Artifact | undefined =>
    readRecordMaybe(database.get('select data from artifacts where id = ?', id)),
  /** In the order in which they were announced. */
  list: (owner: ArtifactOwner, { offset, limit }: Slice): Artifact[] => {
    const [column, id] = columnOf(owner);
    return database
      .all(
        `select data from artifacts where ${column} = ? order by seq limit ? offset ?`,
        ...[id, limit, offset],
      )
      .map(readRecord<Artifact>);
  },
  count: (owner: ArtifactOwner): number => {
    const [column, id] = columnOf(owner);
    return Number(
      database.get(`select count(*) as n from artifacts where ${column} = ?`, id)?.['n'],
    );
  },
  ofBuild: (buildId: string): Artifact[] =>
    database
      .all('select data from artifacts where build_id = ? order by seq', buildId)
      .map(readRecord<Artifact>),
  /** The builds of a pipeline that have some. */
  buildsOf: (pipelineId: string): string[] =>
    database
      .all(
        `select distinct build_id from artifacts a join builds b on b.id = a.build_id
         where b.pipeline_id = ?`,
        pipelineId,
      )
      .map((row) => String(row['build_id'])),
  /** Those that a job has announced together, under the id that it made for that. */
  ofBatch: (jobId: string, batch: string): Artifact[] =>
    database
      .all('select data from artifacts where job_id = ? and batch = ? order by seq', jobId, batch)
      .map(readRecord<Artifact>),
  add: (artifact: Artifact, batch: string) => {
    const { id, buildId, jobId, state } = artifact;
    database.run(
      'insert into artifacts (id, build_id, job_id, state, batch, data) values (?, ?, ?, ?, ?, ?)',
      ...[id, buildId, jobId, state, batch, writeRecord(artifact)],
    );
  },
  update: (artifact: Artifact) => {
    database.run(
      'update artifacts set state = ?, data = ? where id = ?',
      ...[artifact.state, writeRecord(artifact), artifact.id],
    );
  },
});

const columnOf = (owner: ArtifactOwner): [column: string, id: string] =>
  'jobId' in owner ? ['job_id', owner.jobId] : ['build_id', owner.buildId];
