/** The page of a job: its facts, and which lines of its log it shows. */
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, afterAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { visitorOf, type Visitor } from './visitor.ts';

const steps = "steps: [{ label: 'Lint <b>', command: 'exit 1' }, { command: 'wait', key: w }]";
const runner = scriptedRunner();
let service: Counterpart;
let owner: Visitor;
let failed: string;
let running: string;

beforeAll(async () => {
  service = await createCounterpart({ runner });
  owner = await visitorOf(service);
  const api = await service.pipeline('web', steps);
  const { json } = await service.post(`${api}/builds`, { commit: 'HEAD', branch: 'main' });
  [failed = '', running = ''] = json.jobs.map(({ id }) => id);
  const states =
    (one: string) =>
    ({ jobs }: typeof json) =>
      jobs.every(({ id, state }) => state === (id === failed ? one : 'running'));
  await service.until(`${api}/builds/1`, states('running'));
  await write(failed, numbered(2000));
  runner.finish(failed, { exitStatus: 1 });
  await service.until(`${api}/builds/1`, states('failed'));
});

afterAll(async () => {
  runner.finish(running);
  await service.close();
});

const fileOf = (job: string): string => join(service.dataDir, 'logs', `${job}.log`);
const write = (job: string, text: string): Promise<void> => writeFile(fileOf(job), text);
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, line) => `number ${line + 1}\n`).join('');
const pageOf = (job: string, rest = ''): string => `/local/web/builds/1/jobs/${job}${rest}`;
const look = async (job: string, rest = ''): Promise<string> =>
  (await owner.get(pageOf(job, rest))).text;
const shown = (html: string): number[] =>
  [...html.matchAll(/id="L(\d+)"/g)].map(([, line]) => Number(line));
const gaps = (html: string): string[] =>
  [...html.matchAll(/data-from="(\d+)" data-to="(\d+)"/g)].map(([, from, to]) => `${from}-${to}`);

test('shows the outcome of the job', async () => {
  const html = await look(failed);
  expect(html).toContain('<title>Lint &lt;b&gt;, build 1 of web</title>');
  for (const text of ['failed', '>exit 1<', 'Exit status', 'local-']) expect(html).toContain(text);
  expect(html).toMatch(/<form method="post" action="[^"]*\/retry">/);
  expect(html).toMatch(/<dt>Agent<\/dt><dd><a href="[^"]*\/agents\/[^"]*"><bdi>local-1</);
  expect(html).not.toContain('style=');
  expect(html).not.toContain('data-running');
  const other = await look(running);
  expect(other).toContain('data-running');
  expect(other).not.toContain('/retry"');
});

test('a missing job has no page', async () => {
  expect((await owner.get(pageOf('018f5a3e-1111-4222-8333-944445555666'))).status).toBe(404);
});

test.each([
  ['the end', '', 1501, 2000, ['1-1501']],
  ['the beginning', '?from=1', 1, 500, ['501-2001']],
  ['lines before one', '?before=1001', 501, 1000, ['1-501', '1001-2001']],
  ['lines around one', '?at=1000', 800, 1299, ['1-800', '1300-2001']],
])('shows %s of the log, and gaps for the others', async (_, query, first, last, left) => {
  const html = await look(failed, query);
  expect([shown(html).at(0), shown(html).at(-1), shown(html).length]).toEqual([first, last, 500]);
  expect(gaps(html)).toEqual(left);
  expect(html).toContain(`>number ${last}</div>`);
});

test('fills a gap from either side', async () => {
  const fill = async (query: string): Promise<string> => {
    const { text, headers } = await owner.get(pageOf(failed, `/log/lines?${query}`));
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    return text;
  };
  const above = await fill('first=1&end=1501&before=1501');
  expect([shown(above).at(0), shown(above).at(-1), gaps(above)]).toEqual([1001, 1500, ['1-1001']]);
  expect(shown(await fill('first=1&end=11&from=1'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('searches the whole log, ignoring case and colors', async () => {
  await write(running, `${numbered(300)}\x1b[31mNUM\x1b[0mber 299\nother\n`);
  const { text } = await owner.get(pageOf(running, '/log/search?q=Number%20299'));
  expect(text).toBe('[299,301]\n');
  const html = await look(running, '?q=NUMBER+299');
  expect(html).toMatch(/<noscript>.*href="\?at=299#L299".*number 299/s);
  expect((await owner.get(pageOf(running, '/log/search?q=none'))).text).toBe('');
  await write(running, 'x\nİstanbul\n');
  expect((await owner.get(pageOf(running, '/log/search?q=istanbul'))).text).toBe('[2]\n');
});

test('a search with very many matches says that there are more', async () => {
  const search = async (lines: number): Promise<unknown[]> => {
    await write(running, '');
    await look(running);
    await write(running, numbered(lines));
    const { text } = await owner.get(pageOf(running, '/log/search?q=number'));
    return text
      .trim()
      .split('\n')
      .flatMap((line) => JSON.parse(line) as unknown);
  };
  const all = Array.from({ length: 10_000 }, (_, index) => index + 1);
  expect(await search(10_000)).toEqual(all);
  expect(await search(30_000)).toEqual([...all, 'more']);
});

test('times stay during a search, and the search when times change', async () => {
  const html = await look(failed, '?q=number+7&at=7');
  expect(html).toContain('href="?q=number+7&amp;at=7&amp;times=1"');
  expect(html).not.toContain('name="times"');
  const timed = await look(failed, '?q=number+7&times=1');
  expect(timed).toContain('href="?q=number+7"');
  expect(timed).toContain('<input type="hidden" name="times" value="1"/>');
});

test('the raw file is the log unchanged, or a range of it', async () => {
  const raw = await owner.get(pageOf(failed, '/log.txt'));
  expect([raw.status, raw.headers['content-type'], raw.text]).toEqual([
    200,
    'text/plain; charset=utf-8',
    numbered(2000),
  ]);
  expect(raw.headers['x-content-type-options']).toBe('nosniff');
});

test('attempts of a job link to each other', async () => {
  const reply = await owner.submit(pageOf(failed, '/retry'), { from: 'job' });
  const next = /jobs\/([^/]+)$/.exec(String(reply.headers['location']))?.[1] ?? '';
  for (const [job, other] of [
    [failed, next],
    [next, failed],
  ] as const) {
    const html = await look(job);
    expect(html).toMatch(/aria-current="page">Execution [12]</);
    expect(html).toContain(`href="${pageOf(other)}"`);
  }
  expect(await look(failed)).not.toContain('/retry"');
  await service.until('/v2/organizations/local/pipelines/web/builds/1', ({ jobs }) =>
    jobs.some(({ id, state }) => id === next && state === 'running'),
  );
  runner.finish(next);
});

test('a token that cannot read logs shows the job without its log', async () => {
  const { token } = await service.admin('POST', '/tokens', {
    description: 'd',
    scopes: ['read_builds', 'read_organizations', 'read_pipelines'],
  });
  const reader = await visitorOf(service, token);
  const page = await reader.get(pageOf(failed));
  expect([page.status, page.text.includes('You do not have permission to read logs')]).toEqual([
    200,
    true,
  ]);
  expect(page.text).not.toContain('number 1');
  expect(page.text).not.toContain('/retry"');
  for (const path of ['/log.txt', '/log/lines', '/log/search?q=a'])
    expect((await reader.get(pageOf(failed, path))).status).toBe(403);
});

test('a job that will never run says why, and expects no log', async () => {
  const api = await service.pipeline(
    'left-out',
    `steps:
      - { label: other, command: a, if: build.branch == "other" }
      - { command: fails }
      - wait
      - { label: behind, command: b }`,
  );
  const { json } = await service.post(`${api}/builds`, { commit: 'HEAD', branch: 'main' });
  const path = `${api}/builds/${json.number}`;
  await service.until(path, ({ jobs }) => jobs.some(({ state }) => state === 'running'));
  runner.finish('fails', { exitStatus: 1 });
  const { jobs } = await service.settled(path);
  const textOf = async (name: string): Promise<string> => {
    const { id } = jobs.find((job) => job.name === name) as { id: string };
    return (await owner.get(`/local/left-out/builds/${json.number}/jobs/${id}`)).text;
  };
  expect(await textOf('other')).toContain(
    '<dt>Reason</dt><dd><bdi>if: build.branch == &quot;other',
  );
  expect(await textOf('behind')).toContain('No log.');
});

test('says so if there is no log', async () => {
  const remove = `/v2/organizations/local/pipelines/web/builds/1/jobs/${failed}/log`;
  expect((await service.delete(remove)).status).toBe(204);
  expect(await look(failed)).toContain('No log.');
  expect((await owner.get(pageOf(failed, '/log/lines'))).status).toBe(404);
  await appendFile(fileOf(failed), 'again\n');
  expect(shown(await look(failed))).toEqual([1]);
});
