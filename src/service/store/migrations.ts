/**
 * The tables. A record is kept whole as JSON in `data`; beside it stand only the columns by which
 * it is found. A migration that has been released is never changed: add another.
 */
import { CictlError } from '../../errors.ts';
import { buildFacts, countBuilds, countCommits, longLists } from './list-migrations.ts';
import type { Database } from './database.ts';
import { givenSecretTable, secretTable } from './tables/secrets.ts';
import { agentTables } from './tables/remote-agents.ts';

/** The migration that gives jobs annotations of their own: `job_id` is empty for those of the build. */
const annotationScopes = `
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

/** The migration after which a batch of artifacts is found by itself: a job may have announced thousands. */
const artifactBatches = `
  create index artifacts_of_batches on artifacts (job_id, batch, seq);
`;

/**
 * The migration that keeps which requests of a job have been applied: an agent that read no answer sends
 * the same one again, also to a service that was killed meanwhile.
 */
const keepAppliedRequests = `
  create table applied_requests (
    job_id text not null, uuid text not null,
    build_id text not null references builds (id) on delete cascade,
    primary key (job_id, uuid)
  ) without rowid;
  create index applied_requests_of_builds on applied_requests (build_id);
`;

/**
 * The migration for the times of the sections of logs that have no marks: nanoseconds since the epoch, as
 * texts, by the place of the section in the log.
 */
const keepHeaderTimes = `
  create table header_times (
    job_id text not null, position integer not null, time text not null,
    build_id text not null references builds (id) on delete cascade,
    primary key (job_id, position)
  ) without rowid;
  create index header_times_of_builds on header_times (build_id);
`;

/**
 * The migration for builds that are removed: which have not come to an end are found at once, and
 * `removed_builds` has those whose files may still be there. Settings are texts by their names.
 */
const pruneTables = `
  create index builds_unfinished on builds (seq) where finished_at is null or blocked;
  create table removed_builds (build_id text primary key, job_ids text not null);
  create table settings (name text primary key, value text not null);
`;

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
  // Tokens with all scopes that there were get all those of the public service.
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
  // The jobs that an agent had.
  `
  create index jobs_by_agent on jobs (json_extract(data, '$.agent.id'));
  `,
  // What steps, jobs and builds have since whole pipeline files are run.
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
  // Jobs stand as their steps do, are taken by priority, and wait in groups.
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
  // A plan may be large: nobody reads or writes it with the build any more.
  `
  create table plans (
    build_id text primary key references builds (id) on delete cascade, first text, plan text not null
  );
  insert into plans (build_id, plan) select id, plan from builds;
  alter table builds drop column plan;
  `,
  // Artifacts; `batch` is what was announced together, so that a repeat gets the same ones.
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
  pruneTables,
  longLists,
  buildFacts,
  agentTables,
  keepAppliedRequests,
  annotationScopes,
  keepHeaderTimes,
  secretTable,
  givenSecretTable,
  artifactBatches,
  countCommits,
];

/**
 * Brings the tables up to date, each step in a transaction of its own; tests stop at an earlier
 * `version`.
 */
export function migrate(database: Database, version = migrations.length): void {
  const { user_version: found } = database.get('pragma user_version') ?? {};
  const done = Number(found ?? 0);
  if (done > migrations.length)
    throw new CictlError('machine', 'the data folder was written by a newer cictl');
  migrations.slice(done, version).forEach((sql, index) => {
    database.transaction(() => {
      database.exec(sql);
      database.exec(`pragma user_version = ${done + index + 1}`);
    });
  });
}
