/** What users can change on the pages, and who may. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Wire } from './counterpart.ts';
import { scriptedRunner, type ScriptedRunner } from './scripted-runner.ts';
import { visitorOf, type Visitor } from './visitor.ts';

const file = `
steps:
  - { command: work }
  - block: Ship it?
    prompt: Read the <b>change log</b>.
    key: ship
    fields:
      - { text: Version, key: version, format: '[0-9]+', hint: A number }
      - { text: Notes, key: notes, required: false, default: "none\\nat all" }
      - { text: Ticket, key: ticket, required: false, format: '[A-Z]+-[0-9]+' }
      - select: Who
        key: who
        required: false
        options: [{ label: Me, value: me }]
      - select: Where
        key: where
        multiple: true
        required: false
        options: [{ label: Here, value: here }, { label: '<b>There</b>', value: there }]
`;
const wanted = { commit: 'HEAD', branch: 'main' };

let service: Counterpart;
let runner: ScriptedRunner;
let owner: Visitor;
let api: string;

beforeAll(async () => {
  runner = scriptedRunner();
  service = await createCounterpart({ runner });
  api = await service.pipeline('p', file);
  owner = await visitorOf(service);
});
afterAll(() => service.close());

const create = async (): Promise<number> =>
  (await service.post(`${api}/builds`, wanted)).json.number;

const jobOf = (build: Wire, type: string): Wire =>
  build.jobs.find((job) => job.type === type) as Wire;

/** A build whose first job has finished. */
async function ended(exitStatus: number): Promise<Wire> {
  const number = await create();
  const path = `${api}/builds/${number}`;
  const { id } = jobOf(await service.get(path).then(({ json }) => json), 'script');
  await service.until(path, (build) => jobOf(build, 'script').state === 'running');
  runner.finish(id, { exitStatus });
  return service.settled(path);
}

test('creates a build from the form', async () => {
  const { status, text } = await owner.get('/local/p/builds/new?message=From+a+link');
  expect(status).toBe(200);
  expect(text).toContain('\nFrom a link</textarea>');
  const { status: made, headers } = await owner.submit('/local/p/builds', {
    ...{ branch: ' main ', commit: 'HEAD', message: 'One\r\ntwo', clean_checkout: 'on' },
    ...{ env: 'A=1\r\nB=x=y\r\n', meta_data: 'release=2' },
  });
  expect(made).toBe(303);
  const { json } = await service.get(
    `/v2/organizations${String(headers.location).replace('/local', '/local/pipelines')}`,
  );
  expect(json).toMatchObject({
    ...{ branch: 'main', commit: 'HEAD', message: 'One\ntwo', meta_data: { release: '2' } },
    env: { A: '1', B: 'x=y' },
  });
  expect((await owner.submit(`/local/p/builds/${json.number}/cancel`)).status).toBe(303);
});

test.each([
  [{ commit: '' }, 'commit is missing'],
  [{ env: 'A=1\nfoo' }, 'Environment, line 2: must be NAME=VALUE'],
  [{ meta_data: 'a=1\na=2' }, 'Meta-data, line 2: a is a duplicate'],
  [{ env: 'x-y=1' }, '&quot;x-y&quot; is not a valid environment variable name'],
])('keeps typed values if a build is rejected: %j', async (wrong, problem) => {
  const message = '\n"1" </textarea><script>';
  const typed = { branch: 'b&b', commit: 'HEAD', message, env: 'A=1', ...wrong };
  const { status, text } = await owner.submit('/local/p/builds', typed);
  expect(status).toBe(422);
  expect(text).toContain(problem);
  expect(text).toContain('value="b&amp;b"');
  expect(text).toContain('\n\n&quot;1&quot; &lt;/textarea&gt;&lt;script&gt;</textarea>');
  expect(text).toContain(`\n${typed.env}</textarea>`);
});

test.each(['', '1/rebuild'])('a form sent twice creates one build: %j', async (action) => {
  const before = await create();
  const { text } = await owner.get(action === '' ? '/local/p/builds/new' : '/local/p/builds/1');
  const once = /name="once" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const to = `/local/p/builds${action === '' ? '' : `/${action}`}`;
  const send = (more = {}) => owner.submit(to, { ...wanted, once, ...more });
  const both = await Promise.all([send(), send()]);
  const replies = [...both, await send()];
  const number = before + 1;
  expect(replies.map(({ status, headers }) => [status, headers.location])).toEqual(
    Array(3).fill([303, `/local/p/builds/${number}`]),
  );
  // Going back and entering something else is intentional.
  const other = await send({ message: 'Something else' });
  expect(other.headers.location).toBe(`/local/p/builds/${number + 1}`);
  for (const one of [before, number, number + 1])
    await owner.submit(`/local/p/builds/${one}/cancel`);
});

test('a retry sent twice leads to the one new job', async () => {
  const build = await ended(1);
  const { id } = jobOf(build, 'script');
  const path = `/local/p/builds/${build.number}`;
  const send = () => owner.submit(`${path}/jobs/${id}/retry`, { once: 'a' });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status]).toEqual([303, 303]);
  expect(second.headers.location).toBe(first.headers.location);
  await owner.submit(`${path}/cancel`);
});

test('cancels and rebuilds a build, and cannot cancel a finished one', async () => {
  const number = await create();
  const canceled = await owner.submit(`/local/p/builds/${number}/cancel`);
  expect([canceled.status, canceled.headers.location]).toEqual([303, `/local/p/builds/${number}`]);
  await service.until(`${api}/builds/${number}`, ({ state }) => state === 'canceled');
  const again = await owner.submit(`/local/p/builds/${number}/rebuild`);
  expect(again.headers.location).toBe(`/local/p/builds/${number + 1}`);
  await owner.submit(`/local/p/builds/${number + 1}/cancel`);
  const { status, text } = await owner.submit(`/local/p/builds/${number}/cancel`);
  expect(status).toBe(422);
  expect(text).toMatch(/role="alert"><p>[^<]*cancel/);
  expect(text).toContain(`href="/local/p/builds/${number}"`);
});

test('a blocked build can be canceled', async () => {
  const { number } = await ended(0);
  const path = `/local/p/builds/${number}`;
  expect((await owner.get(path)).text).toContain(`action="${path}/cancel"`);
  expect((await owner.submit(`${path}/cancel`)).status).toBe(303);
  const { json } = await service.get(`${api}/builds/${number}`);
  expect(json).toMatchObject({ state: 'canceled', blocked: false });
  expect((await owner.get(path)).text).not.toContain(`action="${path}/cancel"`);
});

test.each([
  [{}, '#'],
  [{ from: 'job' }, '/jobs/'],
])('a retry leads to the new job: %j', async (fields, between) => {
  const build = await ended(1);
  const { id } = jobOf(build, 'script');
  const path = `/local/p/builds/${build.number}`;
  const { status, headers } = await owner.submit(`${path}/jobs/${id}/retry`, fields);
  const { json } = await service.get(`${api}/builds/${build.number}`);
  expect([status, headers.location]).toEqual([303, `${path}${between}${jobOf(json, 'script').id}`]);
  expect(jobOf(json, 'script').id).not.toBe(id);
  const second = await owner.submit(`${path}/jobs/${id}/retry`, fields);
  expect(second.status).toBe(422);
  expect(second.text).toContain('Jobs can only be retried once');
  await owner.submit(`${path}/cancel`);
});

test('offers a retry if the service accepts one', async () => {
  const [failed, passed] = [await ended(1), await ended(0)];
  const button = async (build: Wire): Promise<unknown> => {
    const { id, retryable } = jobOf(build, 'script');
    const { text } = await owner.get(`/local/p/builds/${build.number}/jobs/${id}`);
    expect(text.includes(`/jobs/${id}/retry"`)).toBe(retryable);
    return retryable;
  };
  expect([await button(failed), await button(passed)]).toEqual([true, false]);
  for (const { number } of [failed, passed]) await owner.submit(`/local/p/builds/${number}/cancel`);
});

test('retryable jobs have a button in the list', async () => {
  const build = await ended(1);
  const { id } = jobOf(build, 'script');
  const path = `/local/p/builds/${build.number}`;
  const retries = async (to: string, from: Visitor = owner): Promise<string[]> =>
    (await from.get(to)).text.match(/(form)?action="[^"]*\/retry"/g) ?? [];
  expect(await retries(path)).toEqual([`formaction="${path}/jobs/${id}/retry"`]);
  expect(await retries(`${path}/jobs/${id}`)).toEqual([`action="${path}/jobs/${id}/retry"`]);
  const again = await owner.submit(`${path}/jobs/${id}/retry`);
  expect(await retries(path)).toEqual([]);
  const next = String(again.headers.location).split('#')[1] ?? '';
  await service.until(`${api}/builds/${build.number}`, ({ jobs }) =>
    jobs.some((job) => job.id === next && job.state === 'running'),
  );
  runner.finish(next, { exitStatus: 0 });
  await service.settled(`${api}/builds/${build.number}`);
  for (const to of [path, `${path}/jobs/${next}`])
    expect([to, await retries(to)]).toEqual([to, []]);
  await owner.submit(`${path}/cancel`);
});

test('unblocks a step with the filled-in fields', async () => {
  const build = await ended(0);
  const { id } = jobOf(build, 'manual');
  const path = `/local/p/builds/${build.number}`;
  const refused = await owner.submit(`${path}/jobs/${id}/unblock`, {
    ...{ 'field:version': 'one "1"', 'field:notes': 'a\r\nb', 'field:where': ['there', 'here'] },
  });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('does not match the format [0-9]+ of the field');
  expect(refused.text).toContain('Read the &lt;b&gt;change log');
  expect(refused.text).toContain('value="one &quot;1&quot;"');
  expect(refused.text).toContain('\na\nb</textarea>');
  expect(refused.text).toContain('<option value="there" selected="">&lt;b&gt;There');
  const bare = await owner.submit(`${path}/jobs/${id}/unblock`);
  expect(bare.text).toContain('The field &quot;version&quot; is required');
  expect(bare.text).toContain('\nnone\nat all</textarea>');
  const done = await owner.submit(`${path}/jobs/${id}/unblock`, {
    ...{ 'field:version': '12', 'field:where': ['there', 'here'], 'field:ticket': '' },
  });
  expect([done.status, done.headers.location]).toEqual([303, `${path}#${id}`]);
  const { json } = await service.get(`${api}/builds/${build.number}`);
  expect(json).toMatchObject({
    meta_data: { version: '12', notes: 'none\nat all', where: 'there\nhere' },
  });
});

test("a step's page has its form too, and shows who unblocked it", async () => {
  const build = await ended(0);
  const { id } = jobOf(build, 'manual');
  const path = `/local/p/builds/${build.number}/jobs/${id}`;
  const { text } = await owner.get(path);
  expect(text).toContain(`action="${path}/unblock"`);
  expect(text).toContain('name="field:version"');
  await owner.submit(`${path}/unblock`, { 'field:version': '1' });
  const after = await owner.get(path);
  expect(after.text).not.toContain('/unblock"');
  expect(after.text).toMatch(/<dt>Unblocked by<\/dt><dd><bdi>[^<]+/);
});

test('several matching steps cannot be unblocked, and a missing one is 404', async () => {
  const build = await ended(0);
  const { id } = jobOf(build, 'manual');
  const path = `/local/p/builds/${build.number}/jobs`;
  expect(
    (await owner.submit(`${path}/${id}/unblock`, { 'field:version': '1', 'field:who': '' })).status,
  ).toBe(303);
  const { json } = await service.get(`${api}/builds/${build.number}`);
  expect(json.meta_data).not.toHaveProperty('where');
  expect(json.meta_data).not.toHaveProperty('who');
  expect((await owner.submit(`${path}/nobody/unblock`)).status).toBe(404);
  expect((await owner.submit('/local/p/builds/999/cancel')).status).toBe(404);
  expect((await owner.submit('/nobody/p/builds')).status).toBe(404);
});

test('a member can do what the API lets members do', async () => {
  const build = await ended(1);
  const { id: user } = await service.admin('POST', '/users', { name: 'Mem', email: 'mem@x' });
  const { token } = await service.admin('POST', '/tokens', { user });
  const visitor = await visitorOf(service, token);
  expect((await visitor.get('/local/p')).text).toContain('/local/p/builds/new');
  const { status } = await visitor.submit(`/local/p/builds/${build.number}/rebuild`);
  expect(status).toBe(303);
});

test('a read-only token has no buttons and changes nothing', async () => {
  const build = await ended(1);
  const scopes = ['read_builds'];
  const { id: user } = await service.admin('POST', '/users', { name: 'Reader', email: 'reader@x' });
  const { token } = await service.admin('POST', '/tokens', { user, scopes });
  const visitor = await visitorOf(service, token);
  const { status, text } = await visitor.get('/local/p');
  expect(status).toBe(200);
  expect((await visitor.get('/local')).text).toContain('href="/local/p"');
  expect(text).not.toContain('/local/p/builds/new');
  expect((await owner.get('/local/p')).text).toContain('/local/p/builds/new');
  expect((await visitor.get('/local/p/builds/new')).status).toBe(403);
  const path = `/local/p/builds/${build.number}`;
  expect((await owner.get(path)).text).toContain('/retry"');
  expect((await visitor.get(path)).text).not.toContain('retry"');
  const before = await service.get(`${api}/builds?per_page=1`);
  for (const to of [
    ...['/local/p/builds', `${path}/cancel`, `${path}/rebuild`],
    ...build.jobs.flatMap(({ id }) => [`${path}/jobs/${id}/retry`, `${path}/jobs/${id}/unblock`]),
  ])
    expect([to, (await visitor.submit(to, wanted)).status]).toEqual([to, 403]);
  expect((await service.get(`${api}/builds?per_page=1`)).text).toBe(before.text);
});
