/**
 * The database schema. Records are stored as JSON in `data`. All other columns are only used to
 * find records. Never change a released migration; add another one instead.
 */
import { CictlError } from '../../errors.ts';
import type { Database } from './database.ts';

/** Updates the schema, with one transaction per migration. Tests stop at an earlier `version`. */
export function migrate(database: Database, version = migrations.length): void {
  const { user_version: found } = database.get('pragma user_version') ?? {};
  const done = Number(found ?? 0);
  if (done > migrations.length)
    throw new CictlError('machine', 'the data directory was written by a newer version of cictl');
  migrations.slice(done, version).forEach((sql, index) => {
    database.transaction(() => {
      database.exec(sql);
      database.exec(`pragma user_version = ${done + index + 1}`);
    });
  });
}

const scopes = ['pipeline_id', 'organization_id'] as const;

const named = { branch: 'branch', commit: 'commit_id', creator: 'creator_id' };

/** Returns the traits of a build as pairs of SQL expressions: name and value. */
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

/**
 * Makes build lists fast, no matter how long they are: adds an index for each filter, a table for
 * meta-data, and counts.
 *
 * `build_counts` divides builds into blocks of 1024, in order of creation. For each block, it has
 * the number of builds in a scope (a pipeline or an organization) that share a trait. The sum of
 * these numbers is the length of a list, and it shows where a page begins. `build_zones` has the
 * time range of each block, which may be too wide but never too narrow. Triggers update both
 * tables, even if builds are removed together with their pipeline.
 */
const countBuilds = `
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

const unfinished = "('scheduled', 'running', 'canceling', 'waiting', 'limited')";

const migrations: readonly string[] = [
  `
  create table organizations (
    seq integer primary key autoincrement, id text not null unique, slug text not null unique, data text not null
  );
  create table users (
    seq integer primary key autoincrement, id text not null unique, email text not null unique, data text not null
  );
  create table memberships (
    user_id text not null references users (id) on delete cascade,
    organization_id text not null references organizations (id) on delete cascade,
    role text not null,
    primary key (user_id, organization_id)
  );
  create table tokens (
    seq integer primary key autoincrement, id text not null unique, hash text not null unique,
    kind text not null, job_id text, data text not null
  );
  create index tokens_of_jobs on tokens (job_id);
  create table pipelines (
    seq integer primary key autoincrement, id text not null unique,
    organization_id text not null references organizations (id) on delete cascade,
    slug text not null, last_number integer not null default 0, data text not null,
    unique (organization_id, slug)
  );
  create table builds (
    seq integer primary key autoincrement, id text not null unique,
    organization_id text not null,
    pipeline_id text not null references pipelines (id) on delete cascade,
    number integer not null, state text not null, blocked integer not null,
    branch text not null, commit_id text not null, creator_id text,
    created_at integer not null, finished_at integer,
    plan text not null, data text not null,
    unique (pipeline_id, number)
  );
  create index builds_of_organizations on builds (organization_id, seq);
  create index builds_by_pipeline on builds (pipeline_id, seq);
  create table jobs (
    seq integer primary key autoincrement, id text not null unique,
    build_id text not null references builds (id) on delete cascade,
    position integer not null, state text not null, data text not null
  );
  create index jobs_of_builds on jobs (build_id, position);
  create index jobs_by_state on jobs (state);
  create table annotations (
    seq integer primary key autoincrement, id text not null unique,
    build_id text not null references builds (id) on delete cascade,
    context text not null, priority integer not null, data text not null,
    unique (build_id, context)
  );
  create table rules (
    seq integer primary key autoincrement, id text not null unique,
    organization_id text not null references organizations (id) on delete cascade, data text not null
  );
  create table emojis (
    seq integer primary key autoincrement,
    organization_id text not null references organizations (id) on delete cascade,
    name text not null, data text not null,
    unique (organization_id, name)
  );
  `,
  // Tokens that had all scopes get all scopes of the public service.
  `
  update tokens set data = json_set(data, '$.scopes', json('[
    "read_agents","write_agents","read_clusters","write_clusters","read_pipelines",
    "write_pipelines","read_pipeline_templates","write_pipeline_templates","read_builds",
    "write_builds","read_build_logs","write_build_logs","read_job_env","read_artifacts",
    "write_artifacts","read_rules","write_rules","read_teams","write_teams",
    "read_organizations","write_organizations","read_organization_settings",
    "write_organization_settings","read_organization_repository_connections",
    "read_notification_services","write_notification_services","read_user",
    "read_audit_events","read_secrets_details","write_secrets","read_suites","write_suites",
    "read_test_plan","write_test_plan","read_registries","write_registries",
    "delete_registries","read_packages","write_packages","delete_packages","read_portals",
    "write_portals","graphql"
  ]'))
  where kind = 'user' and 9 = (
    select count(distinct value) from json_each(tokens.data, '$.scopes') where value in (
      'read_builds', 'write_builds', 'read_build_logs', 'write_build_logs', 'read_job_env',
      'read_rules', 'write_rules', 'read_organizations', 'graphql'
    )
  );
  `,
  // Finds the jobs of an agent.
  `
  create index jobs_by_agent on jobs (json_extract(data, '$.agent.id'));
  `,
  // Adds attributes to steps, jobs and builds. Later step attributes need no migration (see
  // `readStoredPlan`).
  `
  update builds set
    data = json_insert(data, '$.triggeredFrom', json('null'), '$.options', json('{
      "plugins": {"default": "run", "named": {}}, "pluginsFrom": null, "secrets": {},
      "triggers": "error", "tty": true
    }')),
    plan = json_set(plan, '$.steps', (
      select json_group_array(json(
        case json_extract(value, '$.type') when 'command' then json_insert(
          value, '$.plugins', json('[]'), '$.parallel', json('null'), '$.matrix', json('null'),
          '$.concurrency', json('null'), '$.priority', 0, '$.cancelOnBuildFailing', json('false'),
          '$.secrets', json('[]'), '$.skipCheckout', json('false'), '$.retry', json('{
            "automatic": [], "manual": {"allowed": true, "permitOnPassed": false, "reason": null}
          }')
        ) else value end
      )) from (
        select json_insert(
          value, '$.definition', key, '$.dependsOn', json('null'), '$.group', json('null'),
          '$.omitted', json('null'), '$.allowDependencyFailure', json('false')
        ) as value from json_each(builds.plan, '$.steps')
      )
    ));
  update jobs set data = json_insert(data, '$.priority', 0, '$.triggered', json('null'));
  `,
  // Step order, priorities and concurrency groups.
  `
  alter table jobs add column build_seq integer not null default 0;
  alter table jobs add column priority integer not null default 0;
  alter table jobs add column step_key text;
  alter table jobs add column concurrency_group text;
  update jobs set
    position = json_extract(data, '$.step'),
    priority = json_extract(data, '$.priority'),
    build_seq = (select seq from builds where id = jobs.build_id),
    step_key = (
      select json_extract(plan, '$.steps[' || json_extract(jobs.data, '$.step') || '].key')
      from builds where id = jobs.build_id
    );
  create index jobs_to_start on jobs (priority desc, build_seq, position, seq)
    where state = 'scheduled' and json_extract(data, '$.type') = 'script';
  create index jobs_of_groups on jobs (concurrency_group, state, build_seq, position, seq)
    where concurrency_group is not null;
  `,
  // Plans can be large, so they get their own table.
  `
  create table plans (
    build_id text primary key references builds (id) on delete cascade, first text, plan text not null
  );
  insert into plans (build_id, plan) select id, plan from builds;
  alter table builds drop column plan;
  `,
  // `batch` identifies artifacts from the same request, to return them again if it is repeated.
  `
  create table artifacts (
    seq integer primary key autoincrement, id text not null unique,
    build_id text not null references builds (id) on delete cascade,
    job_id text not null, state text not null, batch text not null, data text not null
  );
  create index artifacts_of_builds on artifacts (build_id, seq);
  create index artifacts_of_jobs on artifacts (job_id, seq);
  `,
  countBuilds,
  // `removed_builds` contains removed builds whose files may still exist.
  `
  create index builds_unfinished on builds (seq) where finished_at is null or blocked;
  create table removed_builds (build_id text primary key, job_ids text not null);
  create table settings (name text primary key, value text not null);
`,
  // Speeds up lists of jobs by start time, lists of annotations without their text, and counts of
  // unfinished jobs per queue (`queue=NAME`; empty if the job needs no agent).
  `
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
`,
  // Adds an index that covers every filter of build lists except meta-data. Reading each row would
  // be slow for filters that match many builds.
  `
  create index builds_facts on builds (
    organization_id, seq, pipeline_id, state, blocked, branch, commit_id, creator_id, created_at, finished_at
  );
`,
  // Adds remote agents. The service fills in the demands of existing jobs when it starts.
  `
  create table agents (
    seq integer primary key autoincrement, id text not null unique,
    organization_id text not null references organizations (id) on delete cascade,
    state text not null, data text not null
  );
  create index agents_by_state on agents (state, seq);
  alter table jobs add column demand text not null default '';
  drop index jobs_to_start;
  create index jobs_to_start on jobs (demand, priority desc, build_seq, position, seq)
    where state = 'scheduled' and json_extract(data, '$.type') = 'script';
`,
  // Agents repeat requests that got no response, even if the service was restarted.
  `
  create table applied_requests (
    job_id text not null, uuid text not null,
    build_id text not null references builds (id) on delete cascade,
    primary key (job_id, uuid)
  ) without rowid;
  create index applied_requests_of_builds on applied_requests (build_id);
`,
  // Jobs can have their own annotations. For annotations of a build, `job_id` is empty.
  `
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
`,
  // Start times of log sections without timestamps, in nanoseconds since the epoch.
  `
  create table header_times (
    job_id text not null, position integer not null, time text not null,
    build_id text not null references builds (id) on delete cascade,
    primary key (job_id, position)
  ) without rowid;
  create index header_times_of_builds on header_times (build_id);
`,
  `
  create table secrets (
    organization_id text not null references organizations (id) on delete cascade,
    key text not null collate nocase,
    id text not null,
    value text not null,
    changed_at integer not null,
    primary key (organization_id, key)
  );
`,
  // Names of the secrets that the jobs of a build have read.
  `
  create table given_secrets (
    build_id text not null references builds (id) on delete cascade, key text not null collate nocase,
    primary key (build_id, key)
  ) without rowid;
`,
  // Adds an index for batches, because a job may have thousands of artifacts.
  `
  create index artifacts_of_batches on artifacts (job_id, batch, seq);
`,
  // Updates the counts when a build's commit is determined after the build was created.
  `
  create trigger builds_resolved after update of commit_id on builds
    when old.commit_id <> new.commit_id
  begin
    ${add('old', [["'commit'", 'old.commit_id']], -1)}
    ${add('new', [["'commit'", 'new.commit_id']], 1)}
  end;
`,
];
