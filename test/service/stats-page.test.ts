/** `/ORG/PIPELINE/stats` in a browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

const steps = `[
  { key: lint, label: 'Lint <b>it</b>', command: 'true' },
  { key: test, label: Test, command: 'exit $CODE' },
]`;
const commit = 'c'.repeat(40);
let service: Counterpart;
let cookie: string;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const path = await service.pipeline('p', steps);
  for (const [branch, code] of [
    ['main', '1'],
    ['main', '0'],
    ['dev', '1'],
  ]) {
    const body = { commit, branch, message: 'try', env: { CODE: code } };
    const { json } = await service.post(`${path}/builds`, body);
    await service.settled(`${path}/builds/${json.number}`);
  }
  const code = await service.admin('POST', '/sign-in-codes');
  const { headers } = await service.get(`${String(code['path'])}&to=/`, { token: null });
  cookie = /^[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? '';
});

afterAll(() => service.close());

const open = (query = '', headers: Record<string, string> = { cookie }) =>
  service.get(`/local/p/stats${query}`, { token: null, headers });

test('shows the rate of the default branch, its steps and flaky ones', async () => {
  const { status, text } = await open();
  expect(status).toBe(200);
  expect(text).toContain('50% <small>of 2</small>');
  expect(text).toContain('Lint &lt;b&gt;it&lt;/b&gt;');
  expect(text).not.toContain('<b>it');
  expect(text).toMatch(/failed in <a href="\/local\/p\/builds\/1[^"]*">#1<\/a>, passed in/);
});

test('shows another branch, all branches, and fewer builds', async () => {
  expect((await open('?branch=dev')).text).toContain('0% <small>of 1</small>');
  expect((await open('?branch=')).text).toContain('33% <small>of 3</small>');
  expect((await open('?branch=&builds=1')).text).toContain('0% <small>of 1</small>');
  expect((await open('?branch=none')).text).toContain('No finished builds found.');
  expect((await open('?branch=%22%3E%3Cscript%3E')).text).not.toContain('"><script>');
});

test.each(['0', '-1', 'x', '1e9', ''])('rejects the number of builds %s', async (builds) => {
  expect((await open(`?builds=${builds}`)).status).toBe(200);
});

test('requires a session and an existing pipeline', async () => {
  expect((await open('', {})).status).toBe(401);
  const other = await service.get('/local/none/stats', { token: null, headers: { cookie } });
  expect(other.status).toBe(404);
});
