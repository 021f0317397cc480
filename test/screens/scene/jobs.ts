/** The jobs of the scene, each with the members that differ from a passed job. */
import { at, idOf, site } from './members.ts';

export type JobMembers = Readonly<Record<string, unknown>>;
export type SceneJob = JobMembers & { readonly id: string; readonly retried: boolean };

const agent = {
  ...{ id: idOf('b', 1), name: 'agent-linux-amd64-c5.4xlarge-7', hostname: 'ip-10-0-3-17' },
  ...{ connection_state: 'connected', ip_address: '10.0.3.17', user_agent: 'agent/3.90' },
  ...{ url: `${site}/v2/agents/1`, web_url: `${site}/agents/1`, meta_data: ['queue=default'] },
};

/** `seconds`: from start to finish. */
function job(
  build: number,
  n: number,
  { seconds, ...more }: JobMembers & { seconds?: number },
): SceneJob {
  const id = idOf('c', build * 1000 + n);
  const web_url = `${site}/acme/web/builds/${build}#${id}`;
  const started = Date.parse(at('10:57:00'));
  return {
    ...{ id, graphql_id: `Sm9iLS0t${build}${n}`, type: 'script', name: `Job ${n}`, step_key: null },
    ...{ agent_query_rules: ['queue=default'], state: 'passed', web_url },
    ...{ log_url: `${web_url}/log`, raw_log_url: `${web_url}/log.txt`, command: 'make' },
    ...{ soft_failed: false, exit_status: 0, artifact_paths: '', agent },
    ...{ created_at: at('10:56:50'), scheduled_at: at('10:56:50'), runnable_at: at('10:56:55') },
    started_at: seconds === undefined ? null : at('10:57:00'),
    finished_at: seconds === undefined ? null : new Date(started + seconds * 1000).toISOString(),
    ...{ retried: false, retried_in_job_id: null, retries_count: null, retry_type: null },
    ...{ parallel_group_index: null, parallel_group_total: null, matrix: null },
    ...{ cluster_id: null, cluster_url: null, cluster_queue_id: null, cluster_queue_url: null },
    ...more,
  };
}

const never = { exit_status: null, agent: null };
const waiter = { type: 'waiter', name: null, command: null, ...never };

const gate = {
  ...{
    type: 'manual',
    name: null,
    label: 'Release to production?',
    step_key: 'gate',
    command: null,
  },
  ...{ web_url: null, exit_status: null, agent: null },
};

/** A build with every possible outcome of a job. */
export const ofFailed: readonly SceneJob[] = [
  job(141, 1, { name: ':pipeline: Upload', step_key: 'upload', seconds: 8 }),
  job(141, 2, {
    ...{ name: 'Unit tests', step_key: 'unit', state: 'failed', exit_status: 1, seconds: 91 },
    ...{ retried: true, retried_in_job_id: idOf('c', 141_003), parallel_group_index: 0 },
    ...{ parallel_group_total: 2, retry_type: 'automatic', retries_count: 0 },
  }),
  job(141, 3, {
    ...{ name: 'Unit tests', step_key: 'unit', state: 'failed', exit_status: 1, seconds: 95 },
    ...{ retries_count: 1, parallel_group_index: 0, parallel_group_total: 2 },
    command: 'npm ci\nnpm test -- --shard 1/2',
  }),
  job(141, 4, {
    ...{ name: 'Unit tests', step_key: 'unit', seconds: 88 },
    ...{ parallel_group_index: 1, parallel_group_total: 2 },
  }),
  job(141, 5, {
    name: ':eslint: Lint the whole repository, with all of the rules that came with the last major version',
    ...{ step_key: 'lint', state: 'failed', soft_failed: true, exit_status: 2, seconds: 45 },
  }),
  job(141, 6, {
    ...{ name: ':docker: 結合テスト（決済）', step_key: 'integration', state: 'timed_out' },
    ...{ exit_status: -1, seconds: 300 },
  }),
  job(141, 7, { ...waiter, state: 'waiting_failed' }),
  job(141, 8, { ...never, name: ':docker: Image', step_key: 'image', state: 'waiting_failed' }),
  job(141, 9, { ...gate, state: 'blocked_failed', unblockable: false }),
  job(141, 10, { ...never, name: ':rocket: Deploy', step_key: 'deploy', state: 'broken' }),
];

/** A blocked build. */
export const ofBlocked: readonly SceneJob[] = [
  job(142, 1, { name: ':pipeline: Upload', step_key: 'upload', seconds: 6 }),
  job(142, 2, { name: ':docker: Image', step_key: 'image', seconds: 321 }),
  job(142, 3, {
    ...{ ...gate, state: 'blocked', unblockable: true },
    unblock_url: `${site}/v2/organizations/acme/pipelines/web/builds/142/jobs/x/unblock`,
    ...{ unblocked_by: null, unblocked_at: null },
  }),
  job(142, 4, { ...never, name: ':rocket: Deploy', step_key: 'deploy', state: 'blocked' }),
];

/** Forty running jobs: parallel ones, and those of a matrix. */
export const ofRunning: readonly SceneJob[] = [
  job(143, 1, { name: ':pipeline: Upload', step_key: 'upload', seconds: 5 }),
  ...Array.from({ length: 30 }, (_, index) =>
    job(143, index + 2, {
      ...{ name: ':chrome: End to end (Chrome, mobile viewport)', step_key: 'e2e' },
      ...{ parallel_group_index: index, parallel_group_total: 30, ...progress(index) },
    }),
  ),
  ...['20', '22', '24', '26'].map((node, index) =>
    job(143, index + 32, {
      ...{ name: `:node: Unit tests on Node ${node}`, step_key: 'unit', seconds: 40 + index },
      matrix: { node },
    }),
  ),
  job(143, 36, { name: 'Lint', soft_failed: true, state: 'failed', exit_status: 1, seconds: 12 }),
  ...['limited', 'scheduled', 'assigned', 'canceling'].map((state, index) =>
    job(143, index + 37, {
      ...never,
      name: `Package ${state}`,
      step_key: `package-${index}`,
      state,
    }),
  ),
];

function progress(index: number): JobMembers & { seconds?: number } {
  if (index < 20) return { seconds: 60 + index };
  if (index > 22) return { ...never, state: 'scheduled' };
  return { state: 'running', exit_status: null, started_at: at('11:59:43') };
}

export const allJobs = [...ofFailed, ...ofBlocked, ...ofRunning];

/** The jobs of one of many passed builds, some after a retry. */
export function ofMany(number: number): readonly SceneJob[] {
  const start = Date.parse(at('08:00:05', 9));
  const time = (seconds: number) => new Date(start + seconds * 1000).toISOString();
  const span = (from: number, to: number) => ({
    ...{ created_at: time(0), scheduled_at: time(0), runnable_at: time(from) },
    ...{ started_at: time(from + 1 + (number % 7)), finished_at: time(to) },
  });
  const lint = job(number, 1, {
    name: ':broom: Lint',
    step_key: 'lint',
    ...span(0, 20 + (number % 9)),
  });
  const failed = { state: 'failed', exit_status: 1, retried: true };
  const unit = { name: 'Unit tests', step_key: 'unit' };
  const integration = {
    name: 'Integration tests against the real services',
    step_key: 'integration',
  };
  if (number % 11 !== 0)
    return [
      lint,
      job(number, 2, { ...unit, ...span(0, 90 + (number % 13)) }),
      job(number, 3, { ...integration, ...span(90 + (number % 13), 195) }),
    ];
  return [
    lint,
    job(number, 2, {
      ...unit,
      ...failed,
      ...span(0, 60),
      retried_in_job_id: idOf('c', number * 1000 + 4),
    }),
    job(number, 4, { ...unit, ...span(60, 120) }),
    job(number, 3, { ...integration, ...span(120, 195) }),
  ];
}
