/** Meta-data of builds, a row each: lists are filtered by it. */
import type { Build } from '../domain/records.ts';
import type { Database } from './database.ts';

/** Writes what differs; `before` is undefined for a new build. */
export function writeMetaData(database: Database, before: Build | undefined, after: Build): void {
  const old = before?.metaData ?? {};
  for (const name of Object.keys(old))
    if (!Object.hasOwn(after.metaData, name)) database.run(removeSql, after.id, name);
  for (const [name, value] of Object.entries(after.metaData))
    if (old[name] !== value) database.run(putSql, name, value, after.id);
}

const removeSql = `delete from build_meta
  where build_seq = (select seq from builds where id = ?) and name = ?`;

const putSql = `insert into build_meta (build_seq, pipeline_id, organization_id, name, value)
  select seq, pipeline_id, organization_id, ?, ? from builds where id = ?
  on conflict do update set value = excluded.value`;
