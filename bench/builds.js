/** Builds of typical size as a service lists them: all members, five jobs each. */

const time = (minute) => new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString();
const uuid = (n) => `018f7c3a-0000-4000-8000-${String(n).padStart(12, '0')}`;

const user = (n) => ({
  id: uuid(n),
  graphql_id: `VXNlci0tLQ${n}`,
  name: `Person ${n}`,
  email: `person${n}@example.com`,
  avatar_url: `https://example.com/avatars/${n}`,
  created_at: time(0),
});

const job = (base, build, n) => ({
  id: uuid(build * 100 + n),
  graphql_id: `Sm9iLS0t${build}${n}`,
  type: 'script',
  name: `Step ${n}`,
  step_key: `step-${n}`,
  step: { id: uuid(n), signature: null },
  agent_query_rules: ['queue=default'],
  state: n === 4 && build % 5 === 0 ? 'failed' : 'passed',
  web_url: `https://example.com/acme/web/builds/${build}#${uuid(build * 100 + n)}`,
  log_url: `${base}/${build}/jobs/${uuid(n)}/log`,
  raw_log_url: `${base}/${build}/jobs/${uuid(n)}/log.txt`,
  command: `make step-${n}`,
  soft_failed: false,
  exit_status: n === 4 && build % 5 === 0 ? 1 : 0,
  artifact_paths: '',
  agent: { id: uuid(7), url: 'https://example.com/agents/7', name: 'agent-7' },
  created_at: time(build),
  scheduled_at: time(build),
  runnable_at: time(build),
  started_at: time(build + 1),
  finished_at: time(build + 2),
  retried: false,
  retried_in_job_id: null,
  retries_count: null,
  retry_type: null,
  parallel_group_index: null,
  parallel_group_total: null,
  matrix: null,
  cluster_id: null,
  cluster_url: null,
  cluster_queue_id: null,
  cluster_queue_url: null,
});

const pipeline = (base) => ({
  id: uuid(1),
  graphql_id: 'UGlwZWxpbmUtLS0x',
  url: base.replace(/\/builds$/, ''),
  web_url: 'https://example.com/acme/web',
  name: 'Web',
  slug: 'web',
  repository: 'git@example.com:acme/web.git',
  branch_configuration: null,
  default_branch: 'main',
  provider: { id: 'github', webhook_url: '', settings: { trigger_mode: 'code' } },
  skip_queued_branch_builds: false,
  skip_queued_branch_builds_filter: null,
  cancel_running_branch_builds: false,
  cancel_running_branch_builds_filter: null,
  builds_url: base,
  badge_url: 'https://example.com/badge.svg',
  created_at: time(0),
  scheduled_builds_count: 0,
  running_builds_count: 0,
  scheduled_jobs_count: 0,
  running_jobs_count: 0,
  waiting_jobs_count: 0,
});

/**
 * @param {string} base URL of the pipeline's builds
 * @param {number} newest number of the first build; the others count down from it
 */
export const builds = (base, count = 30, newest = 1000) =>
  Array.from({ length: count }, (_, index) => {
    const number = newest - index;
    return {
      id: uuid(number),
      graphql_id: `QnVpbGQtLS0${number}`,
      url: `${base}/${number}`,
      web_url: `https://example.com/acme/web/builds/${number}`,
      number,
      state: number % 5 === 0 ? 'failed' : 'passed',
      cancel_reason: null,
      blocked: false,
      message: `Change number ${number}`,
      commit: String(number).padStart(40, 'a'),
      branch: number % 3 === 0 ? 'main' : `feature-${number % 7}`,
      env: {},
      source: 'webhook',
      creator: user(number % 4),
      jobs: Array.from({ length: 5 }, (__, n) => job(base, number, n)),
      created_at: time(number),
      scheduled_at: time(number),
      started_at: time(number + 1),
      finished_at: time(number + 6),
      meta_data: { release: '1.2.3' },
      pull_request: null,
      rebuilt_from: null,
      pipeline: pipeline(base),
    };
  });
