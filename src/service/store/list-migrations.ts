/**
 * The migration after which lists of builds cost the same however many there are: an index for each
 * filter, the meta-data in a table of its own, and kept counts.
 *
 * `build_counts` says how many builds of a scope (a pipeline or an organization) share something,
 * in each block of 1024 builds as they were created: a page anywhere in a list is found, and the
 * list is counted, by adding up blocks. `build_zones` says between which times the builds of a block
 * were created and finished; it may say more than is true, never less. Triggers keep both in the
 * transaction of each change, also when a pipeline takes its builds with it.
 */
const scopes = ['pipeline_id', 'organization_id'] as const;

const named = { branch: 'branch', commit: 'commit_id', creator: 'creator_id' };

/** What is counted of a build, by name, as expressions over its row. */
const counted = (row: string): [name: string, value: string][] => [
  ["'all'", "''"],
  ["'state'", stateOf(row)],
  ...Object.entries(named).map(([name, column]): [string, string] => [
    `'${name}'`,
    `${row}.${column}`,
  ]),
];

const stateOf = (row: string): string => `${row}.state || '/' || ${row}.blocked`;

const metaOf = (row: string): [name: string, value: string][] => [
  [`'meta:' || ${row}.name`, `${row}.value`],
];

/** Adds `by` to each count of a row. */
function add(
  row: string,
  what: [name: string, value: string][],
  by: number,
  seq = `${row}.seq`,
): string {
  const block = `${seq} >> 10`;
  const rows = scopes.flatMap((scope) =>
    what.map(([name, value]) => ({ key: `${row}.${scope}, ${name}, ${value}`, value })),
  );
  return rows
    .flatMap(({ key, value }) => [
      `insert into build_counts (scope, name, value, block, n)
        select ${key}, ${block}, ${by} where ${value} is not null
        on conflict do update set n = n + excluded.n;`,
      by > 0
        ? ''
        : `delete from build_counts
            where (scope, name, value) = (${key}) and block = ${block} and n = 0;`,
    ])
    .join('\n');
}

const indexes = ['pipeline', 'organization'].flatMap((scope) => [
  `create index builds_of_${scope}s_by_state on builds (${scope}_id, state, blocked, seq);`,
  ...Object.entries(named).map(
    ([name, column]) =>
      `create index builds_of_${scope}s_by_${name} on builds (${scope}_id, ${column}, seq);`,
  ),
  `create index build_meta_of_${scope}s on build_meta (${scope}_id, name, value, build_seq);`,
]);

const fill = scopes.flatMap((scope) =>
  [
    ...counted('b').map(([name, value]) => ({ name, value, from: 'builds b', seq: 'b.seq' })),
    ...metaOf('b').map(([name, value]) => ({
      name,
      value,
      from: 'build_meta b',
      seq: 'build_seq',
    })),
  ].map(
    ({ name, value, from, seq }) => `insert into build_counts (scope, name, value, block, n)
      select b.${scope}, ${name}, ${value}, ${seq} >> 10, count(*) from ${from}
      where ${value} is not null group by 1, 2, 3, 4;`,
  ),
);

export const countBuilds = `
  create table build_meta (
    build_seq integer not null references builds (seq) on delete cascade,
    pipeline_id text not null, organization_id text not null, name text not null, value text not null,
    primary key (build_seq, name)
  ) without rowid;
  create table build_counts (
    scope text not null, name text not null, value text not null, block integer not null,
    n integer not null, primary key (scope, name, value, block)
  ) without rowid;
  create table build_zones (
    block integer primary key, created_min integer not null, created_max integer not null,
    finished_min integer, finished_max integer, unfinished integer not null
  );
  create table job_counts (
    pipeline_id text not null references pipelines (id) on delete cascade,
    state text not null, n integer not null, primary key (pipeline_id, state)
  ) without rowid;
  ${indexes.join('\n')}

  insert into build_meta (build_seq, pipeline_id, organization_id, name, value)
    select b.seq, b.pipeline_id, b.organization_id, m.key, m.value
    from builds b, json_each(b.data, '$.metaData') m;
  ${fill.join('\n')}
  insert into build_zones
    select seq >> 10, min(created_at), max(created_at), min(finished_at), max(finished_at),
      sum(finished_at is null) from builds group by 1;
  insert into job_counts (pipeline_id, state, n)
    select b.pipeline_id, j.state, count(*) from jobs j join builds b on b.id = j.build_id
    where j.state in ('scheduled', 'running', 'canceling', 'waiting', 'limited') group by 1, 2;

  create trigger builds_added after insert on builds begin
    ${add('new', counted('new'), 1)}
    insert into build_zones values (
      new.seq >> 10, new.created_at, new.created_at, new.finished_at, new.finished_at,
      new.finished_at is null
    ) on conflict do update set
      created_min = min(created_min, excluded.created_min),
      created_max = max(created_max, excluded.created_max),
      finished_min = coalesce(min(finished_min, excluded.finished_min), finished_min, excluded.finished_min),
      finished_max = coalesce(max(finished_max, excluded.finished_max), finished_max, excluded.finished_max),
      unfinished = unfinished + excluded.unfinished;
  end;
  create trigger builds_changed after update of state, blocked on builds
    when old.state <> new.state or old.blocked <> new.blocked
  begin
    ${add('old', [["'state'", stateOf('old')]], -1)}
    ${add('new', [["'state'", stateOf('new')]], 1)}
  end;
  create trigger builds_finished after update of finished_at on builds
    when old.finished_at is not new.finished_at
  begin
    update build_zones set
      finished_min = coalesce(min(finished_min, new.finished_at), finished_min, new.finished_at),
      finished_max = coalesce(max(finished_max, new.finished_at), finished_max, new.finished_at),
      unfinished = unfinished + (new.finished_at is null) - (old.finished_at is null)
    where block = new.seq >> 10;
  end;
  create trigger builds_leaving before delete on builds begin
    update job_counts set n = n - (
      select count(*) from jobs where build_id = old.id and +state = job_counts.state
    ) where pipeline_id = old.pipeline_id;
  end;
  create trigger builds_removed after delete on builds begin
    ${add('old', counted('old'), -1)}
    update build_zones set unfinished = unfinished - (old.finished_at is null)
      where block = old.seq >> 10;
  end;
  create trigger build_meta_added after insert on build_meta begin
    ${add('new', metaOf('new'), 1, 'new.build_seq')}
  end;
  create trigger build_meta_changed after update of value on build_meta begin
    ${add('old', metaOf('old'), -1, 'old.build_seq')}
    ${add('new', metaOf('new'), 1, 'new.build_seq')}
  end;
  create trigger build_meta_removed after delete on build_meta begin
    ${add('old', metaOf('old'), -1, 'old.build_seq')}
  end;
`;

/** The migration for builds whose commit becomes known after they were created. */
export const countCommits = `
  create trigger builds_resolved after update of commit_id on builds
    when old.commit_id <> new.commit_id
  begin
    ${add('old', [["'commit'", 'old.commit_id']], -1)}
    ${add('new', [["'commit'", 'new.commit_id']], 1)}
  end;
`;

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

/**
 * The migration for lists with several filters. Where each of them leaves many builds, looking at
 * their rows one by one took a second of a hundred thousand: this index has all that filters ask
 * for, but for meta-data, in the order of the lists.
 */
export const buildFacts = `
  create index builds_facts on builds (
    organization_id, seq, pipeline_id, state, blocked, branch, commit_id, creator_id, created_at, finished_at
  );
`;
