/** Requests that no agent sends are rejected with one line, and nothing is lost. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Reply } from '../counterpart.ts';
import { registerAgent } from './remote-jobs.ts';
import type { RunningJob } from './running-jobs.ts';
import { sampled } from '../../support/full.ts';

let service: Counterpart;
let job: RunningJob;

beforeAll(async () => {
  service = await createCounterpart({ slots: 0 });
  const pipeline = await service.pipeline('demo', 'steps: [{ key: one, command: one }]');
  await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' });
  job = await (await registerAgent(service)).take();
});

afterAll(() => service.close());

const paths: readonly [method: string, path: string][] = [
  ['POST', '/v3/jobs/J/data/set'],
  ['POST', '/v3/jobs/J/data/set-batch'],
  ['POST', '/v3/jobs/J/data/get'],
  ['POST', '/v3/jobs/J/data/exists'],
  ['POST', '/v3/jobs/J/annotations'],
  ['POST', '/v3/jobs/J/artifacts'],
  ['PUT', '/v3/jobs/J/artifacts'],
  ['POST', '/v3/jobs/J/pipelines?async=true'],
  ['PUT', '/v3/jobs/J'],
  ['PUT', '/v3/jobs/J/promise_failure'],
  ['POST', '/v3/jobs/J/header_times'],
  ['POST', '/v3/steps/S/export'],
  ['PUT', '/v3/steps/S'],
  ['POST', '/v3/steps/S/cancel'],
  ['POST', '/v3/pause'],
  ['POST', '/v3/jobs/J/oidc/tokens'],
];

const nested = (open: string, close: string): string =>
  open.repeat(200_000) + close.repeat(200_000);

const bodies: readonly [name: string, text: string][] = [
  ['no JSON', '{'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['nothing', 'null'],
  ['deep lists', nested('[', ']')],
  ['wrong types', typesWrong('{"a":[1]}')],
  ['numbers', typesWrong('1e999')],
  ['NUL', typesWrong('"\\u0000"')],
  ['10 MB', `{"key":"k","value":"${'x'.repeat(10_000_000)}"}`],
];

/** Every member of any request, with this value. */
function typesWrong(value: string): string {
  const names =
    'key value items body context style priority append scope id artifacts uuid pipeline replace ' +
    'exit_status reason header_times attribute build_id format note timeout_in_minutes force';
  return `{${names
    .split(' ')
    .map((name) => `"${name}":${value}`)
    .join()}}`;
}

const send = (method: string, path: string, raw?: string): Promise<Reply> => {
  const own: Record<string, string> = { J: job.id, B: job.buildId, S: job.stepId };
  const address = path.replace(/(?<=\/)[JBS](?=[/?]|$)/g, (letter) => own[letter] ?? letter);
  return service.send(address, {
    ...{ method, token: null, headers: { authorization: `Token ${job.token}` } },
    ...(raw !== undefined && { raw }),
  });
};

/** Requests that may be accepted or ignored. */
const odd: typeof bodies = [
  ['a deep pipeline', `{"uuid":"u","pipeline":${nested('[', ']')}}`],
  ['deep objects', `${'{"pipeline":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['half a character', `{"body":"\\ud800","context":"\\ud800","attribute":"\\ud800"}`],
];

sampled.each(odd)('%s is no fault of the service', async (_, body) => {
  for (const [method, path] of paths.filter(([, one]) => !one.endsWith('/cancel'))) {
    const { status } = await send(method, path, body);
    expect([path, status < 500]).toEqual([path, true]);
  }
});

sampled.each(bodies)('%s is refused wherever it is sent', async (_, body) => {
  for (const [method, path] of paths) {
    const { status, text } = await send(method, path, body);
    const isRefused = status >= 400 && status < 500;
    expect([path, isRefused, text.length < 2000]).toEqual([path, true, true]);
    expect([path, JSON.parse(text)]).toEqual([
      path,
      expect.objectContaining({ message: expect.any(String) as string }),
    ]);
  }
});

sampled.each([
  ['GET', '/v3/builds/B/artifacts/search?query=%zz'],
  ['GET', `/v3/builds/B/artifacts/search?query=${'{a,b}'.repeat(500)}`],
  ['GET', `/v3/builds/B/artifacts/search?query=${'*'.repeat(8000)}`],
  ['GET', '/v3/builds/%zz/artifacts/search'],
  ['DELETE', '/v3/jobs/J/annotations/%zz'],
  ['DELETE', '/v3/jobs/J/annotations/%00'],
  ['DELETE', '/v3/jobs/J/annotations/%2e%2e%2f'],
  ['GET', '/v3/jobs/J/secrets'],
  ['GET', '/v3/jobs/J/secrets?key=__proto__'],
  ['GET', '/v3/jobs/%zz/secrets?key=x'],
  ['POST', '/v3/steps/%zz/export'],
  ['POST', '/v3/steps/__proto__/export'],
  ['GET', '/v3/cache_registries/..%2f..%2f'],
  ['PUT', '/v3/artifacts/x/%zz'],
  ['GET', '/v3/nowhere'],
  ['PATCH', '/v3/jobs/J'],
])('%s %s is no fault of the service', async (method, path) => {
  expect((await send(method, path)).status).toBeLessThan(500);
});

test('the job is unchanged after all of that', async () => {
  const build = (await service.get('/v2/organizations/local/pipelines/demo/builds/1')).json;
  expect(build).toMatchObject({ state: 'running', meta_data: {} });
  expect(build.jobs).toHaveLength(1);
  await job.call('PUT', '/v3/jobs/J/finish', { exit_status: '0' });
  const { state } = await service.settled('/v2/organizations/local/pipelines/demo/builds/1');
  expect(state).toBe('passed');
});
