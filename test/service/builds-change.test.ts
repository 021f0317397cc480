import { expect, test } from 'vitest';
import { useCounterpart, type Wire } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { tickingClock } from './ticking-clock.ts';
import { sampled } from '../support/full.ts';

const steps = (...commands: string[]): string =>
  `steps: [${commands.map((command) => `{ command: '${command}' }`).join(', ')}]`;
const wanted = { commit: 'HEAD', branch: 'main' };

test.each<[object, number, object]>([
  [
    {},
    422,
    {
      message: 'Validation Failed',
      errors: [
        { field: 'commit', code: 'missing' },
        { field: 'branch', code: 'missing' },
      ],
    },
  ],
  [{ commit: '', branch: 'main' }, 422, { errors: [{ field: 'commit', code: 'missing' }] }],
  [{ ...wanted, commit: 7 }, 422, { errors: [{ field: 'commit', code: 'invalid' }] }],
  [{ ...wanted, env: [] }, 422, { errors: [{ field: 'env', code: 'invalid' }] }],
  [{ ...wanted, env: { A: {} } }, 422, { errors: [{ field: 'env', code: 'invalid' }] }],
  [{ ...wanted, author: { name: 1 } }, 422, { errors: [{ field: 'author', code: 'invalid' }] }],
  [{ ...wanted, pull_request_id: 'x' }, 422, { errors: [{ field: 'pull_request_id' }] }],
  ...[-1, 0, 1.5, '12', true].map((id): [object, number, object] => [
    { ...wanted, pull_request_id: id },
    422,
    { message: 'Validation Failed', errors: [{ field: 'pull_request_id', code: 'invalid' }] },
  ]),
  ...['banana', 'yes', 2, '', [], {}].map((flag): [object, number, object] => [
    { ...wanted, clean_checkout: flag },
    422,
    { message: 'Validation Failed', errors: [{ field: 'clean_checkout', code: 'invalid' }] },
  ]),
  ...[true, 'False', 0, null].map((flag): [object, number, object] => [
    { ...wanted, clean_checkout: flag },
    201,
    { state: 'scheduled' },
  ]),
  ...(
    [
      ['message', { message: 'a\0b' }],
      ['branch', { branch: 'main\0' }],
      ['commit', { commit: '\0' }],
      ['env', { env: { A: '\0' } }],
      ['env', { env: { 'A\0': 'b' } }],
      ['meta_data', { meta_data: { k: 'a\0' } }],
      ['meta_data', { meta_data: { 'k\0': 'a' } }],
      ['author', { author: { name: 'N\0' } }],
      ['author', { author: { email: 'e\0@x' } }],
      ['pull_request_base_branch', { pull_request_id: 1, pull_request_base_branch: '\0' }],
      ['pull_request_repository', { pull_request_id: 1, pull_request_repository: '\0' }],
    ] as const
  ).map(([field, member]): [object, number, object] => [
    { ...wanted, ...member },
    422,
    { message: 'Validation Failed', errors: [{ field, code: 'invalid' }] },
  ]),
  ...[{}, null, { username: 'x' }, { name: '', email: null }].map(
    (author): [object, number, object] => [
      { ...wanted, author },
      201,
      { author: { name: 'Local user', email: 'local@localhost' } },
    ],
  ),
  // Given values are kept, and no email address is invented.
  [{ ...wanted, author: { name: 'N' } }, 201, { author: { name: 'N', email: '' } }],
  [{ ...wanted, author: { email: 'e@x', x: 1 } }, 201, { author: { name: '', email: 'e@x' } }],
  [
    { ...wanted, env: { 'x-y': '1' } },
    422,
    {
      message:
        '"x-y" is not a valid environment variable name (only a-z, A-Z, 0-9 and underscores are allowed)',
    },
  ],
  [{ ...wanted, branch: 'wip' }, 422, { message: 'Branches have been disabled for this pipeline' }],
  [{ ...wanted, branch: 'wip', ignore_pipeline_branch_filters: true }, 201, { branch: 'wip' }],
  [{ ...wanted, branch: 'wip', ignore_pipeline_branch_filters: 'True' }, 201, { branch: 'wip' }],
  [{ ...wanted, unknown: 1, env: null }, 201, { env: {}, message: '', source: 'api' }],
  [{ ...wanted, env: { A: 1, B: true } }, 201, { env: { A: '1', B: 'true' } }],
  [
    { ...wanted, meta_data: { k: 'v' }, message: 'm' },
    201,
    { meta_data: { k: 'v' }, message: 'm' },
  ],
  [
    { ...wanted, author: { name: 'N', email: 'e@x' } },
    201,
    { author: { name: 'N', email: 'e@x' } },
  ],
  [wanted, 201, { pull_request: null, rebuilt_from: null, author: { name: 'Local user' } }],
  [
    { ...wanted, pull_request_id: 7, pull_request_base_branch: 'b', pull_request_repository: 'r' },
    201,
    { pull_request: { id: '7', base: 'b', repository: 'r' } },
  ],
])('creating %j returns %i', async (body, status, answer) => {
  const service = await useCounterpart({ runner: scriptedRunner() });
  const path = await service.pipeline('p', steps('true'));
  await service.admin('PATCH', '/organizations/local/pipelines/p', {
    branch_configuration: 'main !wip',
  });
  const reply = await service.post(`${path}/builds`, body);
  expect(reply.json).toMatchObject(answer);
  expect(reply.status).toBe(status);
});

sampled.each([
  ['{"commit":', 400],
  ['[]', 400],
  ['"text"', 400],
  ['', 422],
  [`{"message":"${'x'.repeat(9 * 1024 * 1024)}"}`, 413],
])('refuses a body that is no object, or too large (%#)', async (raw, status) => {
  const service = await useCounterpart({ runner: scriptedRunner() });
  const path = await service.pipeline('p', steps('true'));
  const reply = await service.send(`${path}/builds`, { method: 'POST', raw });
  expect(reply.status).toBe(status);
  expect(typeof reply.json.message).toBe('string');
});

test('rejects a chunked body as soon as it is too large, but only with a valid token', async () => {
  const service = await useCounterpart({ runner: scriptedRunner() });
  const path = await service.pipeline('p', steps('true'));
  const post = async (headers: Record<string, string>): Promise<unknown[]> => {
    const chunks = Array.from({ length: 9 }, () => Buffer.alloc(1024 * 1024, ' '));
    const body = ReadableStream.from(chunks);
    const request = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const reply = await fetch(`${service.url}${path}/builds`, request);
    return [reply.status, await reply.text()];
  };
  const tooLarge = JSON.stringify({ message: 'The request body is too large' });
  expect(await post({ authorization: `Bearer ${service.token}` })).toEqual([413, tooLarge]);
  expect((await post({}))[0]).toBe(401);
});

test('a rejected pipeline file creates no build and uses no number', async () => {
  const service = await useCounterpart({ runner: scriptedRunner() });
  const path = await service.pipeline('p', 'stepz: []');
  const reply = await service.post(`${path}/builds`, wanted);
  expect(reply.status).toBe(422);
  expect(reply.json.message).toContain('p.yml:1:1: ');
  await service.pipeline('q', steps('true'));
  expect((await service.get('/v2/builds')).list).toEqual([]);
});

test('a build goes from scheduled to running to passed, with its times', async () => {
  const runner = scriptedRunner();
  const service = await useCounterpart({ runner, clock: tickingClock() });
  const path = await service.pipeline(
    'p',
    `${steps('one', 'two').slice(0, -1)}, wait, three]`.replace('three', "{ command: 'three' }"),
  );
  const { json: created } = await service.post(`${path}/builds`, wanted);
  expect(created).toMatchObject({ state: 'scheduled', started_at: null, finished_at: null });
  expect(created['scheduled_at']).toBe(created['created_at']);
  const running = await service.until(`${path}/builds/1`, isState('running'));
  expect(running.jobs.map(({ state }) => state)).toEqual([
    'running',
    'running',
    'waiting',
    'waiting',
  ]);
  expect(running['started_at']).toBe(running.jobs[0]?.['started_at']);
  runner.finish('two', { exitStatus: 1 });
  await service.until(`${path}/builds/1`, isState('failing'));
  runner.finish('one');
  const build = await service.settled(`${path}/builds/1`);
  expect(build.state).toBe('failed');
  expect(build.jobs.map(({ state }) => state)).toEqual([
    'passed',
    'failed',
    'waiting_failed',
    'waiting_failed',
  ]);
  expect(build['finished_at']).toMatch(/^2026-11-20T10:00:00\.\d{3}Z$/);
});

const isState =
  (state: string) =>
  (build: Wire): boolean =>
    build.state === state;

test('cancels a scheduled build at once, and a running one when its processes exit', async () => {
  const runner = scriptedRunner({ obedient: false });
  const service = await useCounterpart({ runner, slots: 1 });
  const path = await service.pipeline('p', steps('one', 'two'));
  await service.post(`${path}/builds`, wanted);
  await service.post(`${path}/builds`, wanted);
  await service.until(`${path}/builds/1`, isState('running'));

  const second = await service.put(`${path}/builds/2/cancel`);
  expect([second.status, second.json.state]).toEqual([200, 'canceled']);

  const first = await service.put(`${path}/builds/1/cancel`, {});
  expect([first.status, first.json.state]).toEqual([200, 'canceling']);
  expect(first.json.jobs.map(({ state }) => state)).toEqual(['canceling', 'canceled']);
  expect(runner.asked).toEqual(['one cancel']);

  runner.finish('one', { exitStatus: -1, signal: 'SIGTERM', signalReason: 'cancel' });
  const canceled = await service.settled(`${path}/builds/1`);
  expect(canceled.state).toBe('canceled');
  expect(canceled.jobs[0]).toMatchObject({ state: 'canceled', exit_status: -1, signal: 'SIGTERM' });

  const again = await service.put(`${path}/builds/1/cancel`);
  expect([again.status, again.json.message]).toEqual([
    422,
    "Build can't be canceled because it is already canceled",
  ]);
});

test('a blocked build can be canceled', async () => {
  const service = await useCounterpart({ runner: scriptedRunner() });
  const path = await service.pipeline('p', 'steps: [block]');
  await service.post(`${path}/builds`, wanted);
  const reply = await service.put(`${path}/builds/1/cancel`);
  expect(reply.json).toMatchObject({ state: 'canceled', blocked: false, blocked_state: '' });
});

test('a rebuild is a new build with the same content', async () => {
  const runner = scriptedRunner({ auto: true });
  const service = await useCounterpart({ runner });
  const path = await service.pipeline('p', steps('true'));
  const content = { ...wanted, message: 'm', env: { A: '1' }, meta_data: { k: 'v' } };
  const { json: first } = await service.post(`${path}/builds`, { ...content, pull_request_id: 3 });
  const reply = await service.put(`${path}/builds/1/rebuild?per_page=3`);
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({
    ...content,
    number: 2,
    state: 'scheduled',
    source: 'api',
    pull_request: first['pull_request'],
    rebuilt_from: { id: first.id, number: 1, url: `${service.url}${path}/builds/1` },
  });
});

sampled.each([
  [{ skip_queued_branch_builds: true }, ['running', 'skipped', 'scheduled', 'scheduled']],
  [
    { skip_queued_branch_builds: true, skip_queued_branch_builds_filter: '!main' },
    ['running', 'scheduled', 'scheduled', 'scheduled'],
  ],
])('builds that wait give way with %j', async (settings, states) => {
  const service = await useCounterpart({ runner: scriptedRunner(), slots: 1 });
  const path = await service.pipeline('p', steps('true'));
  await service.admin('PATCH', '/organizations/local/pipelines/p', settings);
  await service.post(`${path}/builds`, wanted);
  await service.until(`${path}/builds/1`, isState('running'));
  for (const branch of ['main', 'dev', 'main'])
    await service.post(`${path}/builds`, { ...wanted, branch });
  const { list } = await service.get('/v2/builds');
  expect(list.reverse().map(({ state }) => state)).toEqual(states);
});

test('a running build is superseded with cancel_running_branch_builds', async () => {
  const service = await useCounterpart({ runner: scriptedRunner(), slots: 1 });
  const path = await service.pipeline('p', steps('true'));
  const settings = { cancel_running_branch_builds: 'true' };
  await service.admin('PATCH', '/organizations/local/pipelines/p', settings);
  await service.post(`${path}/builds`, wanted);
  await service.until(`${path}/builds/1`, isState('running'));
  await service.post(`${path}/builds`, { ...wanted, branch: 'dev' });
  expect((await service.get(`${path}/builds/1`)).json.state).toBe('running');
  await service.post(`${path}/builds`, wanted);
  expect(await service.settled(`${path}/builds/1`)).toMatchObject({
    state: 'canceled',
    cancel_reason: 'Superseded by build 3 on the same branch',
  });
});

sampled.each([
  ['PUT', '/builds/9/cancel', 'No build found'],
  ['PUT', '/builds/x/rebuild', 'No build found'],
  ['GET', '/builds/01x', 'No build found'],
  ['GET', '/builds/1/jobs/nope/log', 'No build found'],
])('%s %s of a pipeline without builds', async (method, rest, message) => {
  const service = await useCounterpart({ runner: scriptedRunner() });
  const path = await service.pipeline('p', steps('true'));
  const reply = await service.send(`${path}${rest}`, { method });
  expect([reply.status, reply.json.message]).toEqual([404, message]);
});
