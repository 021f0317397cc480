/** `meta-data` as sent by agents. */
import { expect, test } from 'vitest';
import { useRunningJobs, type RunningJob } from './running-jobs.ts';

const file = 'steps: [{ command: one }, { command: two }]';

const ask = (job: RunningJob, action: string, body?: unknown) =>
  job.call('POST', `/v3/jobs/J/data/${action}`, body);

test('all jobs of a build share it; a missing key is 404 to get and false to exists', async () => {
  const { job } = await useRunningJobs(file, 2);
  const [one, two] = [job('one'), job('two')];
  expect((await ask(one, 'set', { key: 'color', value: 'blue\n' })).status).toBe(204);
  expect((await ask(two, 'get', { key: 'color' })).json).toEqual({ key: 'color', value: 'blue\n' });
  expect((await ask(two, 'get', { key: 'nope' })).status).toBe(404);
  const exists = async (key: string): Promise<unknown> => {
    const { status, json } = await ask(two, 'exists', { key });
    return [status, json];
  };
  expect(await exists('color')).toEqual([200, { exists: true }]);
  expect(await exists('__proto__')).toEqual([200, { exists: false }]);
  expect((await ask(two, 'keys')).list).toEqual(['color']);
  const ofBuild = await two.call('POST', '/v3/builds/B/data/get', { key: 'color' });
  expect(ofBuild.json).toEqual({ key: 'color', value: 'blue\n' });
});

test('sets a batch as a whole or not at all', async () => {
  const { job } = await useRunningJobs(file, 2);
  const one = job('one');
  const good = { key: 'a', value: '1' };
  const bad = await ask(one, 'set-batch', { items: [good, { key: 'b', value: ' ' }] });
  expect([bad.status, bad.json.message]).toEqual([400, 'the value of "b" must not be empty']);
  expect((await ask(one, 'keys')).list).toEqual([]);
  await ask(one, 'set-batch', { items: [good, { key: '__proto__', value: '2' }] });
  expect((await ask(one, 'keys')).list).toEqual(['__proto__', 'a']);
  expect((await ask(one, 'get', { key: '__proto__' })).json['value']).toBe('2');
});

test('beyond the limit, nothing is stored and nothing is lost', async () => {
  const { job } = await useRunningJobs(file, 2);
  const one = job('one');
  const value = 'x'.repeat(1_500_000);
  const set = async (key: string, text = value): Promise<number> =>
    (await ask(one, 'set', { key, value: text })).status;
  expect([await set('a'), await set('b'), await set('c')]).toEqual([204, 204, 400]);
  expect(await set('a')).toBe(204);
  expect(await set('big', 'x'.repeat(10_000_000))).toBe(400);
  expect((await ask(one, 'keys')).list).toEqual(['a', 'b']);
});

test.each([
  ['set', {}],
  ['set', { key: '', value: 'x' }],
  ['set', { key: 'a', value: '' }],
  ['set', { key: 'a', value: 1 }],
  ['set', { key: 'a', value: 'b\0' }],
  ['set', []],
  ['set', 'text'],
  ['set-batch', {}],
  ['set-batch', { items: {} }],
  ['set-batch', { items: [1] }],
  ['get', {}],
  ['exists', { key: 7 }],
])('agents of all versions give up on %s of %j immediately', async (action, body) => {
  const { job } = await useRunningJobs(file, 2);
  expect((await ask(job('one'), action, body)).status).toBe(400);
});
