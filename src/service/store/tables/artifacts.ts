/** Metadata of artifacts. Their content is in `artifact-files.ts`. */
import type { Artifact } from '../../domain/records.ts';
import type { Slice } from '../build-lists.ts';
import type { Database } from '../database.ts';
import { findRecord, insert, readIds, readNumber, readRecord, writeRecord } from '../sql.ts';

export type ArtifactOwner = { readonly buildId: string } | { readonly jobId: string };

/** All lists are in the order in which the artifacts were registered. */
export const artifacts = (database: Database) => ({
  byId: (id: string): Artifact | undefined =>
    findRecord(database, 'select data from artifacts where id = ?', id),
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
    return readNumber(database, `select count(*) as n from artifacts where ${column} = ?`, id);
  },
  ofBuild: (buildId: string): Artifact[] =>
    database
      .all('select data from artifacts where build_id = ? order by seq', buildId)
      .map(readRecord<Artifact>),
  /** Returns the builds of a pipeline that have artifacts. */
  buildsOf: (pipelineId: string): string[] =>
    readIds(
      database,
      `select distinct build_id as id from artifacts a join builds b on b.id = a.build_id
       where b.pipeline_id = ?`,
      pipelineId,
    ),
  /** Returns the artifacts that a job registered in one request. The job chooses the batch ID. */
  ofBatch: (jobId: string, batch: string): Artifact[] =>
    database
      .all('select data from artifacts where job_id = ? and batch = ? order by seq', jobId, batch)
      .map(readRecord<Artifact>),
  add: (artifact: Artifact, batch: string) => {
    const { id, buildId, jobId, state } = artifact;
    const data = writeRecord(artifact);
    insert(database, 'artifacts', { id, build_id: buildId, job_id: jobId, state, batch, data });
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
