/**
 * The migration that keeps which requests of a job have been applied: an agent that read no answer sends
 * the same one again, also to a service that was killed meanwhile.
 */
export const keepAppliedRequests = `
  create table applied_requests (
    job_id text not null, uuid text not null,
    build_id text not null references builds (id) on delete cascade,
    primary key (job_id, uuid)
  ) without rowid;
  create index applied_requests_of_builds on applied_requests (build_id);
`;
