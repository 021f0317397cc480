/**
 * The tables. A record is kept whole as JSON in `data`; beside it stand only the columns by which
 * it is found. A migration that has been released is never changed: add another.
 */
import { CictlError } from '../../errors.ts';
import { annotationScopes } from './annotation-scopes.ts';
import { artifactBatches } from './artifact-batches.ts';
import { buildFacts } from './build-facts.ts';
import { countBuilds, countCommits } from './count-builds.ts';
import type { Database } from './database.ts';
import { givenSecretTable } from './given-secrets.ts';
import { keepAppliedRequests } from './keep-applied-requests.ts';
import { keepHeaderTimes } from './keep-header-times.ts';
import { longLists } from './long-lists.ts';
import { pruneTables } from './prune-tables.ts';
import { agentTables } from './remote-agents.ts';
import { secretTable } from './secrets.ts';

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
