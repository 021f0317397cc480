/** What the token of a job gives access to, and when. */
import { expect, test } from 'vitest';
import { useRunningJobs } from './running-jobs.ts';

const other = '01234567-89ab-4cde-8f01-23456789abcd';

/** Every request that a job's commands send. */
const requests: readonly [method: string, path: string][] = [
  ['POST', '/v3/jobs/J/data/set'],
  ['POST', '/v3/jobs/J/data/set-batch'],
  ['POST', '/v3/jobs/J/data/get'],
  ['POST', '/v3/jobs/J/data/exists'],
  ['POST', '/v3/jobs/J/data/keys'],
  ['POST', '/v3/builds/B/data/get'],
  ['POST', '/v3/builds/B/data/exists'],
  ['POST', '/v3/builds/B/data/keys'],
  ['POST', '/v3/jobs/J/annotations'],
  ['DELETE', '/v3/jobs/J/annotations/c'],
  ['POST', '/v3/jobs/J/artifacts'],
  ['PUT', '/v3/jobs/J/artifacts'],
  ['POST', '/v3/jobs/J/pipelines'],
  ['PUT', '/v3/jobs/J'],
  ['PUT', '/v3/jobs/J/promise_failure'],
  ['POST', '/v3/jobs/J/header_times'],
  ['GET', '/v3/jobs/J/secrets?key=x'],
  ['POST', '/v3/jobs/J/oidc/tokens'],
  ['POST', '/v3/jobs/J/repository_access_token'],
  ['POST', '/v3/jobs/J/github_code_access_token'],
  ['POST', '/v3/builds/B/cancel'],
];

test.each(requests)('%s %s is limited to the job and its build', async (method, path) => {
  const { job } = await useRunningJobs('steps: [{ command: one }, { command: two }]', 2);
  const [one, two] = [job('one'), job('two')];
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  const foreign = [other, two.id].map((id) => path.replace(/\/[JB](?=[/?]|$)/, `/${id}`));
  for (const address of foreign)
    expect([address, (await one.call(method, address, body)).status]).toEqual([address, 401]);
  const withWrong = await one.call(method, path, body, { authorization: 'Token wrong' });
  expect(withWrong.status).toBe(401);
});

test('a missing resource is not found if the token is valid', async () => {
  const { job } = await useRunningJobs('steps: [{ command: one }]');
  const one = job('one');
  const get = async (method: string, path: string): Promise<unknown> => {
    const { status, json } = await one.call(method, path);
    return [status, json.message];
  };
  expect(await get('POST', '/v3/jobs/J/nothing')).toEqual([404, 'Not Found']);
  const registry = '/v3/cache_registries/default';
  const missing = [404, 'Cache registry not found'];
  expect(await get('GET', registry)).toEqual(missing);
  for (const action of ['peek', 'retrieve', 'expire'])
    expect(await get('POST', `${registry}/${action}`)).toEqual(missing);
  for (const action of ['store', 'commit'])
    expect(await get('PUT', `${registry}/${action}`)).toEqual(missing);
  const none = [404, 'This service stores no repository credentials'];
  expect(await get('POST', '/v3/jobs/J/repository_access_token')).toEqual(none);
  expect(await get('POST', '/v3/jobs/J/github_code_access_token')).toEqual(none);
});
