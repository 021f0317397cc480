/** The pages with lists: organizations, pipelines, builds. */
import { expect, test } from 'vitest';
import { useCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { tickingClock } from './ticking-clock.ts';
import { visitorOf } from './visitor.ts';

const useService = (): Promise<Counterpart> =>
  useCounterpart({ runner: scriptedRunner({ auto: true }), clock: tickingClock() });

/** Creates builds one after another, each with its command instead of `$WORK`. */
async function useBuilds(service: Counterpart, slug: string, all: readonly object[]) {
  const api = await service.pipeline(slug, "steps: [{ command: '$WORK' }]");
  for (const { work = 'true', ...members } of all as { work?: string }[]) {
    const body = { commit: 'HEAD', branch: 'main', env: { WORK: work }, ...members };
    const { json } = await service.post(`${api}/builds`, body);
    await service.settled(`${api}/builds/${json.number}`);
  }
  return api;
}

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

/** The numbers of the listed builds. */
const listed = (text: string): number[] => matches(text, /<li id="build-(\d+)"/g).map(Number);

test('with one organization, the start page shows its pipelines and latest builds', async () => {
  const service = await useService();
  await useBuilds(service, 'web', [{ message: 'First' }, { work: 'exit 1', message: 'Broken' }]);
  await service.pipeline('new', 'steps: []');
  const owner = await visitorOf(service);
  const { status, text } = await owner.get('/');
  expect(status).toBe(200);
  expect(matches(text, /<h2><a href="([^"]+)"/g)).toEqual(['/local/web', '/local/new']);
  expect(text).toContain('Last 2 builds: 1 failed, 1 passed');
  expect(text).toContain('No builds yet');
  expect(
    matches(text, /<a href="([^"]+)" tabindex="-1"><title>#\d+ (?:passed|failed) in/g),
  ).toEqual(['/local/web/builds/1', '/local/web/builds/2']);
  expect(text).toContain('#2 <bdi>Broken</bdi>');
  expect((await owner.get('/local')).text).toContain('href="/local/web"');
  const found = await owner.get('/local?q=WE');
  expect(matches(found.text, /<h2><a href="([^"]+)"/g)).toEqual(['/local/web']);
  expect((await owner.get('/local?page=2')).text).toContain('No more pipelines');
  expect((await owner.get('/local?q=%3Cb%3E')).text).toContain('No pipeline has “&lt;b&gt;” in');
});

test('with several, the start page shows the organizations that the visitor can access', async () => {
  const service = await useService();
  await service.admin('POST', '/organizations', { slug: 'acme', name: 'Acme <b>' });
  const { text } = await (await visitorOf(service)).get('/');
  expect(matches(text, /data-row[^>]*><a href="([^"]+)"/g)).toEqual(['/local', '/acme']);
  expect(text).toContain('Acme &lt;b&gt;');
  const { token } = await service.admin('POST', '/tokens', { organizations: ['acme'] });
  const visitor = await visitorOf(service, token);
  expect((await visitor.get('/')).text).toContain('<h1>Acme &lt;b&gt;</h1>');
  expect((await visitor.get('/local')).status).toBe(404);
});

test('finds builds by state, branch and text, page by page', async () => {
  const service = await useService();
  const builds = Array.from({ length: 33 }, (_, index) => ({
    message: index === 4 ? 'The Needle\nis here' : `m${index + 1}`,
    branch: index % 11 === 0 ? 'a&b' : 'main',
    work: index % 16 === 0 ? 'exit 1' : 'true',
  }));
  await useBuilds(service, 'web', builds);
  const owner = await visitorOf(service);
  const at = async (query: string) => (await owner.get(`/local/web${query}`)).text;
  expect(listed(await at(''))).toEqual(Array.from({ length: 30 }, (_, index) => 33 - index));
  expect(await at('')).toContain('href="/local/web?page=2" rel="next"');
  expect(listed(await at('?page=2'))).toEqual([3, 2, 1]);
  expect(await at('?page=2')).toContain('href="/local/web" rel="prev"');
  expect(listed(await at('?state=failed'))).toEqual([33, 17, 1]);
  expect(await at('?state=failed')).toContain('<option value="failed" selected="">');
  expect(listed(await at('?branch=a%26b'))).toEqual([23, 12, 1]);
  expect(await at('')).toContain('href="/local/web?branch=a%26b"');
  expect(listed(await at('?q=needle'))).toEqual([5]);
  expect(listed(await at('?q=A%26B&state=failed'))).toEqual([1]);
  expect(await at('?q=nowhere')).toContain('No matching builds.');
  expect(await at('?q=%22%3E%3Cscript%3E')).toContain('value="&quot;&gt;&lt;script&gt;"');
});

test('shows names, branches and messages of others as text', async () => {
  const service = await useService();
  const hostile = '"><img src=x onerror=alert(1)> \u202e :rocket:';
  await useBuilds(service, 'web', [{ message: hostile, branch: hostile, commit: hostile }]);
  await service.admin('PATCH', '/organizations/local/pipelines/web', { name: hostile });
  const owner = await visitorOf(service);
  for (const path of [
    '/',
    '/local',
    '/local/web',
    `/local/web?branch=${encodeURIComponent(hostile)}`,
  ]) {
    const { text } = await owner.get(path);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    // The search box contains the text unchanged.
    expect(text.replace(/ value="[^"]*"/g, '')).not.toMatch(/<img|\u202e/);
  }
});
