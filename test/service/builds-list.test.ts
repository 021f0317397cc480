import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Wire } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { tickingClock } from './ticking-clock.ts';

/** By build number: time, branch, outcome. */
const made = [
  { at: '2026-01-01T00:00:00Z', branch: 'main', commit: 'a'.repeat(40), command: 'exit 0' },
  { at: '2026-01-02T00:00:00Z', branch: 'main', commit: 'b'.repeat(40), command: 'exit 1' },
  { at: '2026-01-03T00:00:00Z', branch: 'a,b', commit: 'c'.repeat(40), command: 'block' },
  { at: '2026-01-04T00:00:00.500Z', branch: 'dev', commit: 'd'.repeat(40), command: 'exit 0' },
];

let service: Counterpart;
let path: string;
let creator: string;

beforeAll(async () => {
  const clock = tickingClock();
  service = await createCounterpart({ clock, runner: scriptedRunner({ auto: true }) });
  path = await service.pipeline('main', "steps: [{ command: 'exit $CODE' }]");
  const blocking = await service.pipeline('other', "steps: [{ block: 'Go?' }]");
  for (const { at, branch, commit, command } of made) {
    clock.set(at);
    const env = { CODE: command.slice('exit '.length) };
    const meta = { release: branch, 'a+b': 'c d' };
    const target = command === 'block' ? blocking : path;
    const reply = await service.post(`${target}/builds`, { branch, commit, env, meta_data: meta });
    creator = (reply.json['creator'] as { id: string }).id;
    await service.settled(`${target}/builds/${reply.json.number}`);
  }
});

afterAll(() => service.close());

const commits = async (query: string): Promise<string> => {
  const { list } = await service.get(`/v2/builds${query}`);
  return list.map((build) => String(build['commit']).charAt(0)).join('');
};

test.each([
  // Always newest first.
  ['', 'dcba'],
  ['/?junk=1&api_key=x', 'dcba'],
  ['?branch=main', 'ba'],
  ['?branch[]=main&branch[]=dev', 'dba'],
  ['?branch%5B%5D=main&branch%5B%5D=dev', 'dba'],
  ['?branch=a,b', 'c'],
  ['?branch=nothing', ''],
  [`?commit=${'b'.repeat(40)}`, 'b'],
  ['?commit=bbbbbbb', ''],
  [`?commit[]=${'b'.repeat(40)}&commit[]=${'d'.repeat(40)}`, 'db'],
  ['?state=passed', 'dca'],
  ['?state=failed', 'b'],
  ['?state=blocked', 'c'],
  ['?state=finished', 'dcba'],
  ['?state[]=failed&state[]=blocked', 'cb'],
  ['?state=running', ''],
  ['?state=unheard_of', ''],
  ['?created_from=2026-01-02', 'dcb'],
  ['?created_from=20260102', 'dcb'],
  ['?created_from=20260102T000000Z', 'dcb'],
  ['?created_from=20260102T0000', 'dcb'],
  ['?created_from=20260102T020000%2B0200', 'dcb'],
  ['?created_from=20260104T000000.5Z', 'd'],
  ['?created_from=20260104T000000,501Z', ''],
  ['?created_from=2026-01-02T00', 'dcb'],
  ['?created_from=2026-01-02T00:00:00Z', 'dcb'],
  ['?created_from=2026-01-02T02:00:00%2B02:00', 'dcb'],
  ['?created_from=2026-01-02T02:00:00+02:00', 'dcb'],
  ['?created_from=2026-01-01T20:00:00-04:00', 'dcb'],
  ['?created_from=2026-01-04T00:00:00.5Z', 'd'],
  ['?created_from=2026-01-04T00:00:00.501Z', ''],
  ['?created_from=2026-01-04T00:00:00.500000Z', 'd'],
  ['?created_from=2026-01-04T00:00:00.5000001Z', ''],
  ['?created_to=2026-01-03', 'ba'],
  ['?created_to=2026-01-04T00:00:00.500Z', 'cba'],
  ['?created_to=2026-01-04T00:00:00.500001Z', 'dcba'],
  ['?created_from=2026-01-02&created_to=2026-01-04', 'cb'],
  ['?finished_from=2026-01-03', 'dc'],
  ['?meta_data[release]=dev', 'd'],
  ['?meta_data%5Brelease%5D=main', 'ba'],
  ['?meta_data[release]=main&meta_data[nope]=x', ''],
  ['?meta_data[a%2Bb]=c+d', 'dcba'],
  ['?meta_data[a%2Bb]=c%20d&branch=dev', 'd'],
  ['?creator=00000000-0000-4000-8000-000000000000', ''],
])('lists %s', async (query, expected) => {
  expect(await commits(query)).toBe(expected);
});

test('filters by creator', async () => {
  expect(await commits(`?creator=${creator}`)).toBe('dcba');
});

test.each([
  'created_from=soon',
  'created_to=2026-13-01',
  'created_to=2026-02-30',
  'finished_from=12',
  'created_from=20260230',
  'created_from=2026-0102',
  'created_from=20260102T00000',
])('rejects %s', async (query) => {
  const reply = await service.get(`/v2/builds?${query}`);
  const field = query.split('=')[0];
  expect(reply.status).toBe(422);
  expect(reply.json).toMatchObject({
    message: 'Validation Failed',
    errors: [{ field, code: 'invalid' }],
  });
});

test.each([
  ['/v2/organizations/local/builds', 'dcba'],
  ['/v2/organizations/local/pipelines/main/builds', 'dba'],
  ['/v2/organizations/local/pipelines/main/builds/', 'dba'],
  ['/v2/organizations/local/pipelines/other/builds?state=passed', 'c'],
])('scope: %s', async (address, expected) => {
  const { list } = await service.get(address);
  expect(list.map((build) => String(build['commit']).charAt(0)).join('')).toBe(expected);
});

const links = async (query: string): Promise<string> => {
  const { headers } = await service.get(`/v2/builds${query}`);
  return String(headers['link'] ?? '').replaceAll(`${service.url}/v2/builds`, '');
};

test.each([
  ['', ''],
  ['?per_page=3', '<?per_page=3&page=2>; rel="next", <?per_page=3&page=2>; rel="last"'],
  ['?per_page=3&page=2', '<?per_page=3&page=1>; rel="first", <?per_page=3&page=1>; rel="prev"'],
  [
    '?per_page=1&page=2',
    '<?per_page=1&page=1>; rel="first", <?per_page=1&page=1>; rel="prev", <?per_page=1&page=3>; rel="next", <?per_page=1&page=4>; rel="last"',
  ],
  ['?page=0&per_page=500', ''],
  // A comma would split a link for simple clients; credentials must not be in it.
  [
    '?branch[]=a,b&branch[]=dev&per_page=1&access_token=secret',
    '<?branch%5B%5D=a%2Cb&branch%5B%5D=dev&per_page=1&page=2>; rel="next", <?branch%5B%5D=a%2Cb&branch%5B%5D=dev&per_page=1&page=2>; rel="last"',
  ],
])('links of %s', async (query, expected) => {
  expect(await links(query)).toBe(expected);
});

test.each([
  ['?page=0&per_page=1', 'd'],
  ['?page=2&per_page=1', 'c'],
  ['?page=9', ''],
  ['?page=x&per_page=-1', 'd'],
])('pages %s', async (query, expected) => {
  expect((await commits(query)).startsWith(expected)).toBe(true);
});

test.each(['999999999', '9'.repeat(20)])('limits the depth of %s', async (number) => {
  const reply = await service.get(`/v2/builds?page=${number}`);
  expect(reply.status).toBe(400);
  expect(reply.json.message).toContain('Listing builds this deep is not supported.');
});

test.each([
  ['?exclude_jobs=true', false, true],
  ['?exclude_jobs=True&exclude_pipeline=1', false, false],
  ['?exclude_pipeline=true', true, false],
  ['?exclude_jobs=false&exclude_pipeline=false', true, true],
])('%s omits what is not requested', async (query, jobs, pipeline) => {
  const lists = ['/v2/builds', '/v2/organizations/local/builds', `${path}/builds`];
  for (const address of [...lists, `${path}/builds/1`]) {
    const { json } = await service.get(address + query);
    const builds = Array.isArray(json) ? (json as Wire[]) : [json];
    expect(builds.length).toBeGreaterThan(0);
    for (const build of builds)
      expect([address, 'jobs' in build, 'pipeline' in build]).toEqual([address, jobs, pipeline]);
  }
});

test.each([
  ['', 'passed failed blocked passed'],
  ['job_states[]=failed', 'failed'],
  ['job_states%5B%5D=failed&job_states%5B%5D=blocked', 'failed blocked'],
  ['job_states=passed', 'passed passed'],
  ['job_states[]=unheard_of', ''],
])('jobs in builds by %s', async (query, states) => {
  const { list } = await service.get(`/v2/builds?${query}`);
  // The number of builds stays the same: only the members that each one shows are filtered.
  expect(list).toHaveLength(made.length);
  const shown = list.reverse().flatMap(({ jobs }) => jobs.map(({ state }) => state));
  expect(shown.join(' ')).toBe(states);
  const { json } = await service.get(`${path}/builds/2?${query}`);
  expect(json.jobs).toHaveLength(query === '' || query.includes('failed') ? 1 : 0);
});
