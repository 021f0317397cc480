/** "Resources and their fields", "Timestamps". */
import type { Row } from '../../rows/problems.ts';
import { section } from './section.ts';

const fields = 'test/contract/fields.test.ts';
const times = 'test/contract/timestamps.test.ts';
const commands = 'test/contract/commands.test.ts';
const local = (name: string): string => `test/service/${name}.test.ts`;

/** The members of a table, separated by spaces. */
const table = (name: string, members: string): Row[] =>
  members
    .trim()
    .split(/\s+/)
    .map((row) => ({ section: name, row, file: fields, test: `${name}: ${row}` }));

const counts = 'scheduled running waiting total';

export const resources: readonly Row[] = [
  ...table(
    'Build',
    `id graphql_id url web_url number state cancel_reason blocked message commit branch env source
    creator jobs created_at scheduled_at started_at finished_at meta_data pull_request rebuilt_from
    pipeline`,
  ),
  ...table('Rebuilt from', 'id number url'),
  ...section('Build', fields, {
    'id is unique in the whole service, number in the pipeline and ever greater':
      'a build has one id in the whole service, and one number in its pipeline',
    'url is the REST address, graphql_id the one of the GraphQL API':
      'addresses and GraphQL identifiers lead to what they are of',
  }),
  ...section('Build', 'test/contract/states.test.ts', {
    'a blocked build keeps the last value of state':
      'a blocked build keeps the last value of its state',
  }),
  ...section('Build', 'test/contract/endpoints.test.ts', {
    'endpoints take the number; the built-in service finds the id too, beyond that':
      'a build is addressed by its number, and here by its id too',
  }),
  ...table(
    'Job',
    `id graphql_id type name step_key step agent_query_rules state web_url log_url raw_log_url
    artifacts_url command soft_failed exit_status artifact_paths agent created_at scheduled_at
    runnable_at started_at finished_at retried retried_in_job_id retries_count retry_type
    parallel_group_index parallel_group_total matrix cluster_id cluster_url cluster_queue_id
    cluster_queue_url`,
  ),
  ...table('Step', 'id signature'),
  ...section('Step', commands, {
    'signature.value': 'a command reads value of a signature',
    'signature.algorithm': 'a command reads algorithm of a signature',
    'signature.signed_fields': 'a command reads signed_fields of a signature',
  }),
  ...section('Job', fields, {
    'web_url, log_url and raw_log_url of a script':
      'each script has addresses, whatever became of it',
    'raw_log_url addresses the plain text': 'raw_log_url is the address of the plain text',
    'agent in a list of builds: id, url, name': 'an agent in a list is its id, address and name',
  }),
  ...section('Job', local('jobs'), {
    'artifacts_url in the answer to a retry': 'a retry is a new job, and the build continues',
  }),
  ...table('Manual job', 'label unblocked_by unblocked_at unblockable unblock_url'),
  ...section('Manual job', local('jobs'), {
    'web_url is null at times; unblock_url is the address of the operation':
      'unblocking continues the build and stores the fields',
  }),
  ...table(
    'Agent',
    `id graphql_id url web_url name connection_state hostname ip_address user_agent creator
    created_at`,
  ),
  ...table('Agent in a list', 'id url name'),
  ...table('User', 'id graphql_id name email avatar_url created_at'),
  ...table(
    'Pipeline',
    `id graphql_id url web_url name slug repository branch_configuration default_branch provider
    skip_queued_branch_builds cancel_running_branch_builds skip_queued_branch_builds_filter
    cancel_running_branch_builds_filter builds_url badge_url created_at scheduled_builds_count
    running_builds_count scheduled_jobs_count running_jobs_count waiting_jobs_count`,
  ),
  ...section('Pipeline', fields, {
    'created_at in a single build: date, time and UTC':
      'a pipeline tells its creation in another form within a single build',
  }),
  ...table('Provider', 'id webhook_url settings'),
  ...table(
    'Settings',
    `trigger_mode build_pull_requests pull_request_branch_filter_enabled
    skip_pull_request_builds_for_existing_commits build_pull_request_forks
    prefix_pull_request_fork_branch_names build_tags publish_commit_status
    publish_commit_status_per_step publish_blocked_as_pending repository`,
  ),
  ...section('Provider', local('access'), {
    'webhook_url with edit permission': 'as admin, the webhook is shown: true',
    'webhook_url without edit permission is empty': 'as member, the webhook is shown: false',
  }),
  ...table('Job log', 'url content size header_times'),
  ...section('Job log', local('logs'), {
    'size counts bytes, header_times are whole numbers':
      'as an object, with section times to the nanosecond',
  }),
  ...table('Job environment', 'env'),
  ...table('Annotation', 'id context style priority body_html created_at updated_at'),
  ...section('Annotation', local('annotations'), {
    'created_at is the first creation, updated_at the last change':
      'the same context replaces, and keeps id and creation time',
  }),
  ...table(
    'Rule',
    `uuid graphql_id organization_uuid url type source_type target_type source_uuid target_uuid
    effect action created_at created_by`,
  ),
  ...section('Rule', local('organization'), {
    'type pipeline.trigger_build.pipeline, with its effect and action':
      'creates, lists, reads and deletes a rule',
    'type pipeline.artifacts_read.pipeline':
      'the newer form of a rule names pipelines by UUID or slug',
  }),
  ...section('Rule', 'test/contract/bodies.test.ts', {
    'value: source_pipeline_uuid, target_pipeline_uuid':
      'create a rule: value.source_pipeline_uuid and value.target_pipeline_uuid',
  }),
  ...table(
    'Organization',
    'id graphql_id url web_url name slug pipelines_url agents_url emojis_url created_at',
  ),
  ...table('Access token', 'scopes uuid'),
  ...table('Emoji', 'name url aliases'),
  ...section('Emoji', local('organization'), {
    'aliases only where there are any; the pattern of names; custom emojis':
      "emojis are a standard set and the organization's own",
  }),
  ...table('Metrics', 'agents jobs organization'),
  ...table('Agents', 'idle busy total queues'),
  ...table('Queue of agents', 'idle busy total'),
  ...table('Jobs', `${counts} queues`),
  ...table('Queue of jobs', counts),
  ...table('Slug', 'slug'),
  ...section('Timestamps of a build', times, {
    created_at: 'created_at of a build is when it was created',
    scheduled_at: 'scheduled_at of a build is when it was created',
    started_at: 'started_at of a build is when it was begun',
    finished_at: 'finished_at of a build is when it was ended',
  }),
  ...section('Timestamps of a job', times, {
    created_at: 'created_at of a job is when it was created',
    'created_at of one that came later': 'created_at of a retry is when it was retried',
    scheduled_at: 'scheduled_at of a job is when it was created',
    'scheduled_at of one that came later is inherited':
      'scheduled_at of a retry is when it was created',
    runnable_at: 'runnable_at of a job is when it was created',
    started_at: 'started_at of a job is when it was begun',
    finished_at: 'finished_at of a job is when it was ended',
  }),
  ...section('Fields', fields, {
    'types and nulls over more than a hundred builds': 'the builds are many, and differ',
  }),
];
