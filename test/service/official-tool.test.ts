/**
 * The requests of the official command-line tool in the order in which its source sends them, and
 * the members that it reads, with the types that its decoder requires.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository } from '../support/git-repository.ts';
import { createCounterpart, type Counterpart, type Wire } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

const org = '/v2/organizations/local';
const builds = `${org}/pipelines/p/builds`;
let service: Counterpart;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const path = await service.pipeline(
    'p',
    "[{ command: 'exit 1', key: a, soft_fail: true }, { command: 'true' }, wait, { block: Go }]",
  );
  // The request for a new build includes empty members.
  const body = {
    commit: 'HEAD',
    branch: 'main',
    message: '',
    author: {},
    clean_checkout: false,
    env: {},
    ignore_pipeline_branch_filters: false,
  };
  const made = await service.post(`${path}/builds`, body);
  expect(made.status).toBe(201);
  await service.settled(`${builds}/1`);
  await service.post(`${builds}/1/annotations`, { body: 'x', append: false });
});

afterAll(() => service.close());

/** A missing or null member keeps its zero value; a member of another type makes decoding fail. */
type Shape = 'string' | 'number' | 'boolean' | 'time' | 'strings' | readonly [Shapes] | Shapes;
interface Shapes {
  readonly [member: string]: Shape;
}

const user: Shapes = { id: 'string', name: 'string', email: 'string', created_at: 'time' };
const agent: Shapes = {
  id: 'string',
  graphql_id: 'string',
  url: 'string',
  web_url: 'string',
  name: 'string',
  connection_state: 'string',
  hostname: 'string',
  ip_address: 'string',
  user_agent: 'string',
  version: 'string',
  created_at: 'time',
  last_job_finished_at: 'time',
  priority: 'number',
  meta_data: 'strings',
  creator: user,
  paused: 'boolean',
};
const job: Shapes = {
  id: 'string',
  type: 'string',
  name: 'string',
  label: 'string',
  step_key: 'string',
  group_key: 'string',
  state: 'string',
  build_url: 'string',
  log_url: 'string',
  raw_log_url: 'string',
  command: 'string',
  exit_status: 'number',
  signal: 'string',
  signal_reason: 'string',
  artifact_paths: 'string',
  artifacts_url: 'string',
  created_at: 'time',
  scheduled_at: 'time',
  runnable_at: 'time',
  started_at: 'time',
  finished_at: 'time',
  expired_at: 'time',
  unblocked_at: 'time',
  agent,
  agent_query_rules: 'strings',
  web_url: 'string',
  retried: 'boolean',
  retried_in_job_id: 'string',
  retries_count: 'number',
  retry_source: { job_id: 'string', retry_type: 'string' },
  retry_type: 'string',
  retried_by: user,
  soft_failed: 'boolean',
  unblocked_by: user,
  unblockable: 'boolean',
  unblock_url: 'string',
  parallel_group_index: 'number',
  parallel_group_total: 'number',
  cluster_id: 'string',
  cluster_url: 'string',
  cluster_queue_id: 'string',
  cluster_queue_url: 'string',
  priority: { number: 'number' },
  step: { id: 'string', signature: { value: 'string' } },
};
const pipeline: Shapes = {
  id: 'string',
  slug: 'string',
  name: 'string',
  description: 'string',
  repository: 'string',
  created_at: 'time',
  archived_at: 'time',
  default_branch: 'string',
  branch_configuration: 'string',
  skip_queued_branch_builds: 'boolean',
  skip_queued_branch_builds_filter: 'string',
  cluster_id: 'string',
  visibility: 'string',
  tags: 'strings',
  running_jobs_count: 'number',
  configuration: 'string',
};
const build: Shapes = {
  id: 'string',
  number: 'number',
  state: 'string',
  blocked: 'boolean',
  message: 'string',
  commit: 'string',
  branch: 'string',
  author: { name: 'string', email: 'string' },
  created_at: 'time',
  scheduled_at: 'time',
  started_at: 'time',
  finished_at: 'time',
  creator: user,
  source: 'string',
  jobs: [job],
  pipeline,
  rebuilt_from: { id: 'string', number: 'number', url: 'string' },
  pull_request: { id: 'string', base: 'string', repository: 'string' },
};
const annotation: Shapes = {
  id: 'string',
  context: 'string',
  style: 'string',
  scope: 'string',
  priority: 'number',
  body_html: 'string',
  created_at: 'time',
  updated_at: 'time',
};

/** What a statically typed decoder would reject. */
function misfits(at: string, value: unknown, shape: Shape): string[] {
  if (value === null || value === undefined) return [];
  if (shape === 'strings')
    return (value as unknown[]).flatMap((one, n) => misfits(`${at}.${n}`, one, 'string'));
  if (shape === 'time')
    return /^"\d{4}-\d\d-\d\d(T[\d:.]+Z| [\d:]+ UTC)"$/.test(JSON.stringify(value)) ? [] : [at];
  if (typeof shape === 'string') return typeof value === shape ? [] : [at];
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [at];
    return value.flatMap((one, n) => misfits(`${at}.${n}`, one, shape[0] as Shapes));
  }
  return Object.entries(shape as Shapes).flatMap(([name, one]) =>
    misfits(`${at}.${name}`, (value as Record<string, unknown>)[name], one),
  );
}

async function decode(path: string, shape: Shape): Promise<Wire> {
  const { status, json } = await service.get(path);
  expect([path, status]).toEqual([path, 200]);
  expect(misfits('', json, shape)).toEqual([]);
  return json;
}

test('build view: the user, the newest build, then everything about it', async () => {
  const me = await decode('/v2/user', user);
  const query = `branch%5B%5D=main&creator=${me.id}&per_page=1`;
  const [newest] = (await decode(`${builds}?${query}`, [build])) as unknown as Wire[];
  const address = `${builds}/${newest?.number ?? 0}`;
  const [one, artifacts, annotations] = await Promise.all([
    decode(address, build),
    decode(`${address}/artifacts`, [{ id: 'string' }]),
    decode(`${address}/annotations`, [annotation]),
  ]);
  expect(one.jobs.map((each) => each['type'])).toEqual(['script', 'script', 'waiter', 'manual']);
  expect(one['author']).toEqual({ name: me.name, email: me['email'] });
  expect(artifacts).toEqual([]);
  expect(annotations).toHaveLength(1);
});

test('build view --job-states', async () => {
  const one = await decode(`${builds}/1?job_states%5B%5D=failed&job_states%5B%5D=broken`, build);
  expect(one.jobs.map(({ state }) => state)).toEqual(['failed']);
});

test('build list: pages until one is not full', async () => {
  await decode(`${org}/builds?page=1&per_page=100`, [build]);
  const bare = await decode(`${builds}?exclude_jobs=true&exclude_pipeline=true`, [build]);
  expect(bare).toMatchObject([{ number: 1 }]);
});

test('job list, pipeline list and view, agent list and view', async () => {
  await decode(`${builds}/1/jobs?per_page=100`, { items: [job], links: { next: 'string' } });
  await decode(`${org}/pipelines?page=1&per_page=100&repository=x`, [pipeline]);
  await decode(`${org}/pipelines/p`, pipeline);
  // It requests pages until one is empty.
  const [first] = (await decode(`${org}/agents?page=1&per_page=30`, [agent])) as unknown as Wire[];
  expect(await decode(`${org}/agents?page=2&per_page=30`, [agent])).toEqual([]);
  await decode(`${org}/agents/${first?.id ?? ''}`, agent);
});

test("finds a pipeline by its checkout's remote, without storing its token", async () => {
  const { folder, git, commit } = createRepository(join(service.dataDir, 'checkout'));
  commit({ 'pipeline.yml': 'steps: []' });
  const remote = 'https://ada:t0ken@ci.example/acme/web.git';
  git('remote', 'add', 'origin', remote);
  await service.admin('POST', '/organizations/local/pipelines', { folder, slug: 'web' });
  const query = `page=1&per_page=30&repository=${encodeURIComponent(remote)}`;
  const { text, list } = await service.get(`${org}/pipelines?${query}`);
  expect(list.map(({ slug, repository }) => [slug, repository])).toEqual([
    ['web', 'https://ci.example/acme/web.git'],
  ]);
  expect(text).not.toContain('t0ken');
});
