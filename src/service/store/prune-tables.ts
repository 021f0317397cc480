/**
 * The migration for builds that are removed: which have not come to an end are found at once, and
 * `removed_builds` has those whose files may still be there. Settings are texts by their names.
 */
export const pruneTables = `
  create index builds_unfinished on builds (seq) where finished_at is null or blocked;
  create table removed_builds (build_id text primary key, job_ids text not null);
  create table settings (name text primary key, value text not null);
`;
