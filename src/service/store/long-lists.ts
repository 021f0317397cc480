/**
 * The migration after which nothing long is read or sorted as a whole: jobs stand in the order in
 * which agents took them, annotations are listed without their texts, and the jobs under way are
 * counted by queue (`queue=NAME`; empty for what no agent takes).
 */
const unfinished = "('scheduled', 'running', 'canceling', 'waiting', 'limited')";

export const longLists = `
  alter table jobs add column started_at integer
    generated always as (coalesce(json_extract(data, '$.startedAt'), 0)) virtual;
  create index jobs_by_start on jobs (started_at, seq);

  alter table annotations add column style text not null default 'info';
  alter table annotations add column created_at integer not null default 0;
  update annotations set
    style = json_extract(data, '$.style'), created_at = json_extract(data, '$.createdAt');
  create index annotation_heads on annotations (build_id, priority desc, seq, id, context, style, created_at);

  alter table jobs add column queue text not null default '';
  with steps as materialized (
    select p.build_id, s.key as step, coalesce((
      select r.value from json_each(s.value, '$.agentQueryRules') r
      where substr(r.value, 1, 6) = 'queue=' order by r.key limit 1
    ), 'queue=default') as queue
    from plans p cross join json_each(p.plan, '$.steps') s
    where p.build_id in (select build_id from jobs where state in ${unfinished})
  )
  update jobs set queue = steps.queue from steps
    where jobs.build_id = steps.build_id and jobs.position = steps.step
      and jobs.state in ${unfinished} and json_extract(jobs.data, '$.type') = 'script';

  drop trigger builds_leaving;
  drop table job_counts;
  create table job_counts (
    pipeline_id text not null references pipelines (id) on delete cascade,
    queue text not null, state text not null, n integer not null,
    primary key (pipeline_id, queue, state)
  ) without rowid;
  insert into job_counts (pipeline_id, queue, state, n)
    select b.pipeline_id, j.queue, j.state, count(*) from jobs j join builds b on b.id = j.build_id
    where j.state in ${unfinished} group by 1, 2, 3;
  create trigger builds_leaving before delete on builds begin
    update job_counts set n = n - (
      select count(*) from jobs
      where build_id = old.id and +state = job_counts.state and queue = job_counts.queue
    ) where pipeline_id = old.pipeline_id;
  end;
`;
