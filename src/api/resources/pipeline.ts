import {
  boolean,
  integer,
  json,
  resource,
  text,
  time,
  url,
  type ResourceValue,
} from './resource.ts';

/** spec.md, "Pipeline (embedded in a build)". */
export const pipeline = resource({
  name: 'pipeline',
  plural: 'pipelines',
  references: ['slug'],
  members: {
    id: text(),
    graphql_id: text(),
    url: url(),
    web_url: url(),
    name: text(),
    slug: text(),
    description: text(),
    repository: text(),
    branch_configuration: text(),
    default_branch: text(),
    provider: json(),
    skip_queued_branch_builds: boolean(),
    skip_queued_branch_builds_filter: text(),
    cancel_running_branch_builds: boolean(),
    cancel_running_branch_builds_filter: text(),
    builds_url: url(),
    badge_url: url(),
    created_at: time(),
    archived_at: time(),
    cluster_id: text(),
    visibility: text(),
    scheduled_builds_count: integer(),
    running_builds_count: integer(),
    scheduled_jobs_count: integer(),
    running_jobs_count: integer(),
    waiting_jobs_count: integer(),
  },
  columns: [
    { path: 'slug', heading: 'PIPELINE' },
    { path: 'name', heading: 'NAME' },
    { path: 'repository', heading: 'REPOSITORY' },
    { path: 'default_branch', heading: 'BRANCH' },
  ],
});

export type Pipeline = ResourceValue<typeof pipeline>;
