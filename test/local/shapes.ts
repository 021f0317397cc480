/**
 * The field tables of the specification as data: member, type, and whether null is allowed. A type
 * that ends in `?` may be null, one in brackets is an array, a name is another table.
 */
export type Shape = Readonly<Record<string, string>>;

const user: Shape = {
  id: 'uuid',
  graphql_id: 'string',
  name: 'string',
  email: 'string',
  avatar_url: 'url',
  created_at: 'time',
};

const agent: Shape = {
  id: 'uuid',
  graphql_id: 'string',
  url: 'url',
  web_url: 'url',
  name: 'string',
  connection_state: 'string',
  hostname: 'string',
  ip_address: 'string',
  user_agent: 'string',
  creator: 'user',
  created_at: 'time',
};

const job: Shape = {
  id: 'uuid',
  graphql_id: 'string',
  type: 'string',
  name: 'string',
  step_key: 'string',
  step: 'step',
  agent_query_rules: '[string]',
  state: 'string',
  web_url: 'url?',
  log_url: 'url?',
  raw_log_url: 'url?',
  artifacts_url: 'string',
  command: 'string',
  soft_failed: 'boolean',
  exit_status: 'integer?',
  artifact_paths: 'string',
  agent: 'agent?',
  created_at: 'time',
  scheduled_at: 'time?',
  runnable_at: 'time?',
  started_at: 'time?',
  finished_at: 'time?',
  retried: 'boolean',
  retried_in_job_id: 'uuid?',
  retries_count: 'integer?',
  retry_type: 'string?',
  parallel_group_index: 'integer?',
  parallel_group_total: 'integer?',
  matrix: 'object?',
  cluster_id: 'string?',
  cluster_url: 'string?',
  cluster_queue_id: 'string?',
  cluster_queue_url: 'string?',
};

const shapes: Readonly<Record<string, Shape>> = {
  user,
  agent,
  job,
  shortAgent: { id: 'uuid', url: 'url', name: 'string' },
  // Steps are not signed here.
  step: { id: 'uuid', signature: 'object?' },
  scriptJob: {
    ...job,
    web_url: 'url',
    log_url: 'url',
    raw_log_url: 'url',
    retries_count: 'integer',
  },
  manualJob: {
    ...job,
    label: 'string',
    unblocked_by: 'user?',
    unblocked_at: 'time?',
    unblockable: 'boolean',
    unblock_url: 'url',
  },
  build: {
    id: 'uuid',
    graphql_id: 'string',
    url: 'url',
    web_url: 'url',
    number: 'integer',
    state: 'string',
    cancel_reason: 'string?',
    blocked: 'boolean',
    message: 'string',
    commit: 'string',
    branch: 'string',
    env: 'strings',
    source: 'string',
    creator: 'user?',
    jobs: '[job]',
    created_at: 'time',
    scheduled_at: 'time',
    started_at: 'time?',
    finished_at: 'time?',
    meta_data: 'strings',
    pull_request: 'object?',
    rebuilt_from: 'rebuiltFrom?',
    pipeline: 'pipeline',
    blocked_state: 'string',
    author: 'object?',
  },
  rebuiltFrom: { id: 'uuid', number: 'integer', url: 'url' },
  pipeline: {
    id: 'uuid',
    graphql_id: 'string',
    url: 'url',
    web_url: 'url',
    name: 'string',
    slug: 'string',
    repository: 'string',
    branch_configuration: 'string?',
    default_branch: 'string',
    provider: 'provider',
    skip_queued_branch_builds: 'boolean',
    cancel_running_branch_builds: 'boolean',
    skip_queued_branch_builds_filter: 'string?',
    cancel_running_branch_builds_filter: 'string?',
    builds_url: 'url',
    badge_url: 'url',
    created_at: 'anyTime',
    scheduled_builds_count: 'integer',
    running_builds_count: 'integer',
    scheduled_jobs_count: 'integer',
    running_jobs_count: 'integer',
    waiting_jobs_count: 'integer',
  },
  provider: { id: 'string', webhook_url: 'string', settings: 'settings' },
  settings: {
    trigger_mode: 'string',
    build_pull_requests: 'boolean',
    pull_request_branch_filter_enabled: 'boolean',
    skip_pull_request_builds_for_existing_commits: 'boolean',
    build_pull_request_forks: 'boolean',
    prefix_pull_request_fork_branch_names: 'boolean',
    build_tags: 'boolean',
    publish_commit_status: 'boolean',
    publish_commit_status_per_step: 'boolean',
    publish_blocked_as_pending: 'boolean',
    repository: 'string',
  },
  log: { url: 'url', content: 'string', size: 'integer', header_times: '[integer]' },
  environment: { env: 'strings' },
  annotation: {
    id: 'uuid',
    context: 'string',
    style: 'string',
    priority: 'integer',
    body_html: 'string',
    created_at: 'time',
    updated_at: 'time',
  },
  rule: {
    uuid: 'uuid',
    graphql_id: 'string',
    organization_uuid: 'uuid',
    url: 'url',
    type: 'string',
    source_type: 'string',
    target_type: 'string',
    source_uuid: 'uuid',
    target_uuid: 'uuid',
    effect: 'string',
    action: 'string',
    created_at: 'time',
    created_by: 'user',
  },
  organization: {
    id: 'uuid',
    graphql_id: 'string',
    url: 'url',
    web_url: 'url',
    name: 'string',
    slug: 'string',
    pipelines_url: 'url',
    agents_url: 'url',
    emojis_url: 'url',
    created_at: 'time',
  },
  accessToken: { scopes: '[string]', uuid: 'uuid' },
  emoji: { name: 'string', url: 'url' },
  metrics: { agents: 'agentCounts', jobs: 'jobCounts', organization: 'slugged' },
  agentCounts: { idle: 'integer', busy: 'integer', total: 'integer', queues: 'object' },
  jobCounts: {
    scheduled: 'integer',
    running: 'integer',
    waiting: 'integer',
    total: 'integer',
    queues: 'object',
  },
  slugged: { slug: 'string' },
};

type Check = (value: unknown) => boolean;

const isText =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const checks: Readonly<Record<string, Check>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  uuid: isText(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  url: isText(/^https?:\/\/[^\s]+$/),
  time: isText(iso),
  anyTime: isText(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z| \d\d:\d\d:\d\d UTC)$/),
  object: isObject,
  strings: (value) =>
    isObject(value) && Object.values(value as object).every((one) => typeof one === 'string'),
};

/** Everything about `value` that is not as its table says: `build.jobs[0].name: not string`. */
export function faults(value: unknown, type: string, path = type): string[] {
  if (type.endsWith('?')) return value === null ? [] : faults(value, type.slice(0, -1), path);
  if (type.startsWith('['))
    return Array.isArray(value)
      ? value.flatMap((one, index) => faults(one, type.slice(1, -1), `${path}[${index}]`))
      : [`${path}: not an array`];
  const check = checks[type];
  if (check !== undefined) return check(value) ? [] : [`${path}: not ${type}`];
  if (!isObject(value)) return [`${path}: not an object`];
  const object = value as Readonly<Record<string, unknown>>;
  return Object.entries(shapeOf(type, object)).flatMap(([member, kind]) =>
    faults(object[member], kind, `${path}.${member}`),
  );
}

/** Jobs have tables by their kind, agents by how much of them is sent. */
function shapeOf(type: string, object: Readonly<Record<string, unknown>>): Shape {
  const { [type]: plain } = shapes;
  if (type === 'job' && object['type'] === 'script') return shapes['scriptJob'] ?? {};
  if (type === 'job' && object['type'] === 'manual') return shapes['manualJob'] ?? {};
  if (type === 'agent' && !('hostname' in object)) return shapes['shortAgent'] ?? {};
  if (plain === undefined) throw new Error(`there is no table ${type}`);
  return plain;
}
