/** The page of a build and its live updates. */
import { expect, test } from 'vitest';
import { signIn, type Browse } from '../support/sign-in.ts';
import { useCounterpart, type Counterpart } from './counterpart.ts';
import { pageEvents } from './page-events.ts';
import { scriptedRunner } from './scripted-runner.ts';

const file = `
steps:
  - { label: ':hammer: Build', key: build, command: make }
  - group: Tests
    key: tests
    steps:
      - { label: unit, key: unit, command: unit, depends_on: build, parallelism: 2 }
      - { label: lint, command: lint, soft_fail: true }
  - wait
  - block: Release?
    prompt: Shall it go out?
    fields:
      - { text: Version, key: version, required: true, hint: as in 1.2.3 }
      - { select: Where, key: where, multiple: true, options: [{ label: Europe, value: eu }] }
  - { label: deploy, command: deploy, branches: main }
`;

interface Scene {
  readonly service: Counterpart;
  readonly runner: ReturnType<typeof scriptedRunner>;
  readonly browse: Browse;
  /** The API path of the build. */
  readonly api: string;
}

async function scene(): Promise<Scene> {
  const runner = scriptedRunner();
  const service = await useCounterpart({ runner, slots: 4 });
  const pipeline = await service.pipeline('p', file);
  const message = 'Speed it up <b>\n\nIt was slow.';
  await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'dev', message });
  return { service, runner, browse: await signIn(service), api: `${pipeline}/builds/1` };
}

const page = '/local/p/builds/1';
const read = async ({ browse }: Scene, path = page): Promise<string> => (await browse(path)).text();

/** The jobs with that step name, once they are in that state. */
const until = ({ service, api }: Scene, name: string, state: string) =>
  service.until(api, ({ jobs }) => jobs.some((job) => job.name === name && job.state === state));

test('shows the head of a build, its timeline, its jobs and its block step', async () => {
  const one = await scene();
  const { runner } = one;
  await until(one, ':hammer: Build', 'running');
  runner.finish('make');
  runner.finish('lint', { exitStatus: 3 });
  await one.service.until(
    one.api,
    ({ jobs }) => jobs.filter(({ state }) => state === 'running').length === 2,
  );
  for (const { jobId } of runner.works.filter(({ command }) => command === 'unit'))
    runner.finish(jobId);
  const { jobs } = await until(one, 'Release?', 'blocked');
  const html = await read(one);

  expect(html).toContain('<h1><bdi>Speed it up &lt;b&gt;</bdi></h1>');
  expect(html).toContain('It was slow.');
  expect(html).toContain('<dt>Branch</dt><dd><bdi>dev</bdi></dd>');
  for (const { id } of jobs) expect(html).toContain(`id="${id}"`);
  expect(html).toContain('unit</bdi> 1/2');
  expect(html).toContain('exit 3');
  expect(html).toContain('branches: main');
  expect(html).toMatch(/<svg class="chart".*<rect class="runs good"/s);
  expect(html).toMatch(
    /: passed, (waited \S+, )?ran \S+, after .{1,20}Build, on the critical path/,
  );
  expect(html).toContain('Shall it go out?');
  expect(html).toMatch(/<input[^>]* name="field:version"[^>]* required/);
  expect(html).toMatch(/<select[^>]* name="field:where"[^>]* multiple/);
  expect(html).toContain(`action="${page}/cancel"`.replace('cancel', 'rebuild'));
});

test('finds the job in the query of a URL', async () => {
  const one = await scene();
  const { jobs } = await until(one, ':hammer: Build', 'running');
  const id = String(jobs[0]?.id);
  const { status, headers } = await one.browse(`${page}?jid=${id}`);
  expect([status, headers.get('location')]).toEqual([303, `${page}#${id}`]);
  expect((await one.browse(`${page}?jid=none`)).status).toBe(200);
});

test('a read-only user gets no buttons', async () => {
  const one = await scene();
  await until(one, ':hammer: Build', 'running');
  expect(await read(one)).toContain(`action="${page}/cancel"`);
  const { token } = await one.service.admin('POST', '/tokens', {
    scopes: ['read_builds', 'read_organizations', 'read_pipelines'],
    description: 'reads',
  });
  const html = await read({ ...one, browse: await signIn(one.service, token) });
  expect(html).toContain('Speed it up');
  expect(html.match(/method="post" action="[^"]*"/g)).toEqual([
    'method="post" action="/-/sign-out"',
  ]);
});

test('searches jobs by name, state, key and group, and live updates show only matches', async () => {
  const one = await scene();
  await until(one, ':hammer: Build', 'running');
  const names = (html: string) =>
    ['unit', 'lint', 'Release?', 'deploy'].filter((name) =>
      html.slice(html.indexOf('<section id="jobs"')).includes(`${name}</bdi>`),
    );
  for (const [text, found] of [
    ['', ['unit', 'lint', 'Release?', 'deploy']],
    ['LINT', ['lint']],
    ['%20unit 2/2 ', ['unit']],
    ['%23unit', ['unit']],
    ['Tests', ['unit', 'lint']],
    ['<b>', []],
  ] as const)
    expect([text, names(await read(one, `${page}?q=${text}`))]).toEqual([text, found]);
  expect(await read(one, `${page}?q=<b>`)).toContain('No job has “<bdi>&lt;b&gt;</bdi>”');
  const html = await read(one, `${page}?q=running`);
  expect(html).toMatch(/<input type="search" name="q" value="running"/);
  const live = /data-live="([^"]+)"/.exec(html)?.[1]?.replace('&amp;', '&') ?? '';
  const events = pageEvents(await one.browse(live));
  one.runner.finish('lint', { exitStatus: 3 });
  one.runner.finish('make');
  const heard = await events.until(({ id, html }) => id === 'jobs' && html.includes('unit</bdi>'));
  expect(heard.html).not.toContain('deploy');
  await events.close();
});

test('a missing build returns 404', async () => {
  const { browse } = await scene();
  for (const path of [`${page}2`, `${page}2/events`, '/local/p/builds/x'])
    expect((await browse(path)).status).toBe(404);
});

test('a page gets an event for each change', async () => {
  const one = await scene();
  await until(one, ':hammer: Build', 'running');
  const live = /data-live="([^"]+)"/.exec(await read(one))?.[1] ?? '';
  const events = pageEvents(await one.browse(live));
  one.runner.finish('make');
  const heard = await events.until(({ html }) => html.includes('rect class="runs good"'));
  expect(heard.id).toBe('waterfall');
  expect((await events.until(({ id }) => id === 'head')).html).toContain('running');
  await one.service.post(`${one.api}/annotations`, { body: '**98 %** <script>x</script>' });
  const { html } = await events.until(({ id }) => id === 'annotations');
  expect(html).toContain('<strong>98 %</strong>');
  expect(html).not.toContain('script');
  await events.close();
});

test('an outdated page gets all its parts, and counts as current with the last one', async () => {
  const one = await scene();
  await until(one, ':hammer: Build', 'running');
  const events = pageEvents(await one.browse(`${page}/events?last-event-id=5`));
  const all = [await events.next(), await events.next(), await events.next(), await events.next()];
  expect(all.map(({ id }) => id)).toEqual(['head', 'annotations', 'waterfall', 'jobs']);
  expect(all.slice(0, 3).map(({ version }) => version)).toEqual(['5', '5', '5']);
  expect(Number(all[3]?.version)).toBeGreaterThan(1e9);
  await events.close();
});
