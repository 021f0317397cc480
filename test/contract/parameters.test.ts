/** "Endpoints": each query parameter of the three build lists. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart } from '../service/counterpart.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';
import { tickingClock } from '../service/ticking-clock.ts';

const org = '/v2/organizations/local';
const lists = ['/v2/builds', `${org}/builds`, `${org}/pipelines/p/builds`];
/** The builds, oldest first: day, outcome of the job, branch. */
const made = [
  { message: 'a', day: '2026-01-01', status: 0, branch: 'main' },
  { message: 'b', day: '2026-01-02', status: 1, branch: 'dev' },
  { message: 'c', day: '2026-01-03', status: 0, branch: 'topic' },
];
const sha = (message: string): string => message.repeat(40);

let service: Counterpart;
const creators: string[] = [];

beforeAll(async () => {
  const clock = tickingClock();
  service = await createCounterpart({ clock, runner: scriptedRunner({ auto: true }) });
  const path = await service.pipeline('p', "[{ command: 'exit $STATUS' }]");
  for (const { message, day, status, branch } of made) {
    clock.set(`${day}T12:00:00Z`);
    const user = await service.admin('POST', '/users', { name: message, email: `${message}@x` });
    const { token } = await service.admin('POST', '/tokens', { user: user.id });
    const env = { STATUS: String(status) };
    const body = { message, branch, commit: sha(message), env, meta_data: { is: message } };
    const { json } = await service.post(`${path}/builds`, body, { token });
    creators.push(user.id);
    const build = await service.settled(`${path}/builds/${json.number}`);
    if (status === 0) continue;
    await service.put(`${path}/builds/${json.number}/jobs/${build.jobs[0]?.id ?? ''}/retry`);
    await service.settled(`${path}/builds/${json.number}`);
  }
});

afterAll(() => service.close());

test.each([
  ['branch', 'branch=dev', 'b'],
  ['branch[]', 'branch[]=dev&branch[]=main', 'ba'],
  ['commit', `commit=${sha('c')}`, 'c'],
  ['commit, short', `commit=${sha('c').slice(0, 7)}`, ''],
  ['commit[]', `commit[]=${sha('c')}&commit[]=${sha('a')}`, 'ca'],
  ['created_from', 'created_from=2026-01-02T12:00:00.000Z', 'cb'],
  ['created_to', 'created_to=2026-01-02T12:00:00.000Z', 'a'],
  ['creator', 'creator=SECOND', 'b'],
  ['finished_from', 'finished_from=2026-01-03', 'c'],
  ['meta_data', 'meta_data[is]=a', 'a'],
  ['state', 'state=failed', 'b'],
  ['state[]', 'state[]=failed&state[]=passed', 'cba'],
  ['state, finished', 'state=finished', 'cba'],
  ['no parameter: newest first', '', 'cba'],
])('lists of builds by %s', async (_, query, expected) => {
  for (const path of lists) {
    const { list } = await service.get(`${path}?${query.replace('SECOND', creators[1] ?? '')}`);
    expect(list.map(({ message }) => message).join(''), path).toBe(expected);
  }
});

test.each([
  ['true', 2],
  ['false', 1],
])('lists of builds with include_retried_jobs=%s', async (value, count) => {
  for (const path of lists) {
    const { list } = await service.get(`${path}?branch=dev&include_retried_jobs=${value}`);
    expect(list[0]?.jobs, path).toHaveLength(count);
  }
});

test.each([
  ['true', 2],
  ['false', 1],
])('a build with include_retried_jobs=%s', async (value, count) => {
  const path = `${org}/pipelines/p/builds/2`;
  const { json } = await service.get(`${path}?include_retried_jobs=${value}`);
  expect(json.jobs).toHaveLength(count);
});

test('a build takes no other parameter', async () => {
  const { json } = await service.get(`${org}/pipelines/p/builds/2?state=passed&branch=main`);
  expect(json.message).toBe('b');
});
