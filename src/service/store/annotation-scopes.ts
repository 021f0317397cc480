/** The migration that gives jobs annotations of their own: `job_id` is empty for those of the build. */
export const annotationScopes = `
  create table scoped_annotations (
    seq integer primary key autoincrement, id text not null unique,
    build_id text not null references builds (id) on delete cascade,
    job_id text not null default '', context text not null,
    priority integer not null, style text not null, created_at integer not null, data text not null,
    unique (build_id, context, job_id)
  );
  insert into scoped_annotations (seq, id, build_id, context, priority, style, created_at, data)
    select seq, id, build_id, context, priority, style, created_at, data from annotations;
  drop table annotations;
  alter table scoped_annotations rename to annotations;
  create index annotation_heads on annotations (build_id, priority desc, seq, id, context, style, created_at);
`;
