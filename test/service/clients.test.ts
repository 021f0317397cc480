import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

/** Requests of clients of the public service, including odd ones; each must work. */
let service: Counterpart;
let manual: string;
let failed: string;

const org = '/v2/organizations/local';
const build = `${org}/pipelines/p/builds/1`;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  await service.pipeline('p', "steps: [{ command: 'exit 1', soft_fail: true }, { block: b }]");
  await service.post(`${org}/pipelines/p/builds`, { commit: 'HEAD', branch: 'main' });
  const { jobs } = await service.settled(build);
  failed = jobs[0]?.id ?? '';
  manual = jobs[1]?.id ?? '';
});

afterAll(() => service.close());

interface Odd {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly raw?: string;
  readonly status?: number;
  /** Replaces the usual token header. */
  readonly scheme?: string;
}

const json = { 'content-type': 'application/json' };

const odd: readonly Odd[] = [
  { path: '/v2/builds/' },
  { path: '/v2/builds/?page=0&per_page=100' },
  { path: '/v2/builds?page=1&per_page=1000' },
  { path: '/v2/builds?include_retried_jobs=True' },
  { path: '/v2/builds?include_retried_jobs=1&state%5B%5D=running&state%5B%5D=passed' },
  { path: '/v2/builds?state[]=running&state[]=passed' },
  { path: '/v2/builds?branch%5B0%5D=main&utm_source=x&&=' },
  { path: '/v2/builds?meta_data%5Ba%20b%5D=c', headers: { accept: '*/*' } },
  { path: '/v2/builds', headers: { accept: 'application/json, text/plain, */*' } },
  { path: `${org}/` },
  { path: `${build}/` },
  { path: `${build}?include_retried_jobs=true` },
  { path: `${build}/annotations/?per_page=5` },
  { path: `${build}/jobs/JOB/log/`, headers: { accept: '*/*' } },
  { path: `${build}/jobs/JOB/log`, headers: { accept: 'text/plain' } },
  { path: `${build}/jobs/JOB/env`, headers: { accept: '*/*' } },
  { path: `${org}/rules?page=0&per_page=100&utm_source=x`, headers: { accept: '*/*' } },
  { path: `${org}/jobs/JOB/log` },
  { path: `${org}/jobs/JOB/env/` },
  { method: 'HEAD', path: '/v2/builds' },
  { method: 'PUT', path: `${build}/rebuild?per_page=100` },
  { method: 'PUT', path: `${build}/rebuild/`, raw: '{}', headers: json },
  { method: 'PUT', path: `${build}/rebuild`, raw: '', headers: { 'content-length': '0' } },
  { method: 'PUT', path: `${build}/jobs/MANUAL/unblock`, raw: '{}', headers: json },
  { method: 'PUT', path: `${org}/jobs/JOB/retry`, raw: '{}' },
  {
    method: 'POST',
    path: `${org}/pipelines/p/builds/`,
    // Some declare a form but send JSON.
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: '{"commit":"HEAD","branch":"main","author":null,"env":null,"meta_data":{"n":1}}',
    status: 201,
  },
  {
    method: 'POST',
    path: `${build}/annotations/`,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    raw: '{"body":"x","priority":4,"append":"true"}',
    status: 201,
  },
  {
    method: 'POST',
    path: '/v1/',
    headers: json,
    raw: '{"query":"query($n: Int) { viewer { user { builds(first: $n) { count } } } }","variables":"{\\"n\\":1}","operationName":null,"extensions":{}}',
  },
  { path: '/v2/access-token', scheme: 'bearer' },
  { path: '/v2/access-token', scheme: 'BEARER' },
];

const named = odd.map((request) => {
  const { method = 'GET', path, raw = '', scheme = '' } = request;
  const more = JSON.stringify(request.headers ?? {});
  return [[method, path, raw, more, scheme].join(' '), request] as const;
});

test.each(named)('%s', async (_, { method = 'GET', path, headers, raw, status = 200, scheme }) => {
  const address = path.replace('JOB', failed).replace('MANUAL', manual);
  const authorization = `${scheme ?? 'Bearer'} ${service.token}`;
  const reply = await service.send(address, {
    method,
    token: null,
    headers: { authorization, ...headers },
    ...(raw !== undefined && { raw }),
  });
  expect([reply.text.slice(0, 200), reply.status]).toEqual([expect.any(String), status]);
});

test.each([
  '/v2/organizations/local%2Fpipelines/p',
  '/v2/organizations/%00/builds',
  '/v2/organizations/%E0%A4%A/builds',
  '//v2/builds',
])('%s links nowhere else', async (path) => {
  const reply = await service.get(path);
  expect(reply.status).toBe(404);
});
