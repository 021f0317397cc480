/**
 * The migration for the times of the sections of logs that have no marks: nanoseconds since the epoch, as
 * texts, by the place of the section in the log.
 */
export const keepHeaderTimes = `
  create table header_times (
    job_id text not null, position integer not null, time text not null,
    build_id text not null references builds (id) on delete cascade,
    primary key (job_id, position)
  ) without rowid;
  create index header_times_of_builds on header_times (build_id);
`;
