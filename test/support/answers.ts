/** Complete API responses, which tests modify. */

export const script = '0190046e-e199-453b-a302-a21a4d649d31';
export const manual = '0190046e-e199-453b-a302-a21a4d649d32';
export const uuid = '42f1a7da-812d-4430-93d8-1cc7c33a6bcf';
export const time = '2026-11-20T11:59:59.123Z';

const user = {
  id: uuid,
  graphql_id: 'VXNlcg==',
  name: 'Ada',
  email: 'a@b.c',
  avatar_url: 'https://e/a',
  created_at: time,
};
const agent = {
  id: uuid,
  url: 'https://e/a',
  name: 'agent-1',
  hostname: 'h',
  meta_data: ['queue=default'],
  creator: user,
  created_at: time,
};
const times = { created_at: time, scheduled_at: time, started_at: time, finished_at: time };
const job = {
  ...{
    id: script,
    type: 'script',
    name: 'tests',
    step_key: 'tests',
    state: 'failed',
    command: 'make',
  },
  ...{ step: { id: uuid, signature: null }, agent_query_rules: ['queue=default'], agent, ...times },
  ...{
    web_url: 'https://e/j',
    log_url: 'https://e/l',
    soft_failed: false,
    exit_status: 1,
    signal: null,
  },
  ...{ retried: false, retried_in_job_id: null, retries_count: 1, retry_type: 'manual' },
  ...{
    parallel_group_index: 0,
    parallel_group_total: 2,
    matrix: { os: 'linux' },
    runnable_at: time,
  },
  retry_source: { job_id: uuid, retry_type: 'manual' },
};
const blockStep = {
  ...{
    id: manual,
    type: 'manual',
    label: 'Deploy?',
    name: null,
    state: 'blocked',
    unblockable: true,
  },
  ...{ unblocked_by: user, unblocked_at: time, unblock_url: 'https://e/u', web_url: null },
};
const build = {
  ...{ id: uuid, graphql_id: 'QnVpbGQ=', url: 'https://e/b', web_url: 'https://e/w', number: 7 },
  ...{
    state: 'failed',
    blocked: false,
    blocked_state: '',
    message: 'one\ntwo',
    commit: 'a'.repeat(40),
  },
  ...{
    branch: 'main',
    tag: null,
    env: { A: '1' },
    source: 'api',
    author: { name: 'Ada' },
    creator: user,
  },
  ...{
    jobs: [job, blockStep, { id: uuid, type: 'waiter', state: 'passed' }],
    ...times,
    meta_data: { k: 'v' },
  },
  ...{ pull_request: { id: '1' }, rebuilt_from: { id: uuid, number: 6, url: 'https://e/6' } },
  pipeline: {
    id: uuid,
    slug: 'web',
    name: 'Web',
    provider: { id: 'github', settings: {} },
    created_at: '2013-09-03 13:24:38 UTC',
  },
};
const annotation = {
  id: uuid,
  context: 'default',
  style: 'error',
  priority: 3,
  body_html: '<p>a <b>b</b></p>',
  created_at: time,
  updated_at: time,
};
export const rule = {
  uuid,
  type: 'pipeline.trigger_build.pipeline',
  source_uuid: uuid,
  target_uuid: uuid,
  effect: 'allow',
  created_at: time,
  created_by: user,
};
const organization = {
  id: uuid,
  slug: 'acme',
  name: 'Acme',
  web_url: 'https://e/o',
  created_at: time,
};
const emoji = { name: 'rocket', url: 'https://e/r.png', aliases: ['ship'] };
const token = { uuid, scopes: ['read_builds'], description: null, user };
const metrics = {
  agents: { idle: 1, busy: 2, total: 3, queues: { default: { idle: 1, busy: 2, total: 3 } } },
  jobs: {
    scheduled: 1,
    running: 2,
    waiting: 3,
    total: 6,
    queues: { gpu: { scheduled: 1, running: 0, waiting: 0, total: 1 } },
  },
  organization: { slug: 'acme' },
};
const log = { url: 'https://e/l', content: 'a\nb', size: 3, header_times: [1, 2] };

/** The response for each path. */
export const responses: readonly [RegExp, unknown][] = [
  [/\/log$/, log],
  [/\/env$/, { env: { A: '1', B: 'two words' } }],
  [/\/(?:retry|unblock)$/, job],
  [/\/annotations$/, [annotation]],
  [/\/builds$/, [build, { ...build, number: 6 }]],
  [/\/builds\/\d+/, build],
  [/\/rules$/, [rule]],
  [/\/rules\//, rule],
  [/\/emojis$/, [emoji]],
  [/\/organizations$/, [organization]],
  [/\/organizations\/acme$/, organization],
  [/\/access-token$/, token],
  [/\/metrics$/, metrics],
  [/\/v1$/, { data: { viewer: { pageInfo: { hasNextPage: false, endCursor: 'c' } } } }],
];
