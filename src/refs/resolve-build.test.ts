import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { surroundings, type Situation } from '../../test/support/references.ts';
import { toExit } from '../errors.ts';
import { resolveScope, resolveBuild, resolvePipeline, type ListScope } from './resolve.ts';

const builds = '/v2/organizations/acme/pipelines/web/builds';
const newest = (query = '', number: number | null = 9) => ({
  path: `${builds}?per_page=1${query}`,
  answer: { json: number === null ? [] : [{ number }, { number: 1 }] },
});
const inJob = {
  BUILDKITE_BUILD_NUMBER: '7',
  BUILDKITE_ORGANIZATION_SLUG: 'acme',
  BUILDKITE_PIPELINE_SLUG: 'web',
  BUILDKITE_BRANCH: 'topic',
};

const reading = { mutates: false };
const changing = { mutates: true };
const annotating = { mutates: true, surroundingJob: true };

test.each<[string, string | undefined, Situation, typeof reading, string]>([
  ['a number', '42', {}, changing, 'acme/web/42'],
  ['pipeline and number', 'api/42', {}, reading, 'acme/api/42'],
  ['a whole reference', 'other/api/42', {}, reading, 'other/api/42'],
  ['flags', '42', { flags: { org: 'o', pipeline: 'p' } }, reading, 'o/p/42'],
  ['latest', 'latest', { exchanges: [newest()] }, reading, 'acme/web/9'],
  [
    'latest, of any branch, inside a job',
    'latest',
    { exchanges: [newest()], env: inJob },
    changing,
    'acme/web/9',
  ],
  ['CICTL_BUILD', undefined, { env: { CICTL_BUILD: '5' } }, reading, 'acme/web/5'],
  [
    'CICTL_BUILD for a change, since it is no guess',
    undefined,
    { env: { CICTL_BUILD: 'api/5' } },
    changing,
    'acme/api/5',
  ],
  [
    'CICTL_BUILD over the job',
    undefined,
    { env: { ...inJob, CICTL_BUILD: '5' } },
    reading,
    'acme/web/5',
  ],
  ['the surrounding job', undefined, { env: inJob }, reading, 'acme/web/7'],
  ['the surrounding job of an annotation', undefined, { env: inJob }, annotating, 'acme/web/7'],
])('%s', async (_, text, scenario, options, name) => {
  const { org, pipeline, number } = await resolveBuild(await surroundings(scenario), text, options);
  expect(`${org}/${pipeline}/${number}`).toBe(name);
});

test("ignores the job's build if another pipeline is named", async () => {
  const exchanges = [
    { ...newest('&branch%5B%5D=topic'), path: /\/pipelines\/api\/builds\?.*topic/ },
  ];
  const context = await surroundings({ env: inJob, flags: { pipeline: 'api' }, exchanges });
  expect(await resolveBuild(context, undefined, reading)).toMatchObject({
    pipeline: 'api',
    number: 9,
  });
});

async function checkout(): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'cictl-build-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await promisify(execFile)('git', ['init', '-q', '-b', 'feature/one'], { cwd });
  return cwd;
}

test('defaults to the newest build of the current branch', async () => {
  const exchanges = [{ ...newest(), path: /per_page=1&branch.*=feature%2Fone$/ }];
  const context = await surroundings({ exchanges, cwd: await checkout() });
  expect(await resolveBuild(context, undefined, reading)).toMatchObject({ number: 9 });
});

test.each<[string, string | undefined, Situation, typeof reading, number, RegExp]>([
  [
    'no build in the pipeline',
    'latest',
    { exchanges: [newest('', null)] },
    reading,
    7,
    /acme\/web has no builds/,
  ],
  ['no checkout', undefined, {}, reading, 2, /not in a git checkout or no branch is checked out/],
  ['a change without BUILD', undefined, {}, changing, 2, /commands that make changes require it/],
  [
    'a change without BUILD inside a job',
    undefined,
    { env: inJob },
    changing,
    2,
    /commands that make changes require it/,
  ],
  [
    'an annotation outside a job',
    undefined,
    {},
    annotating,
    2,
    /commands that make changes require it/,
  ],
  [
    'a build without a number',
    'latest',
    { exchanges: [{ path: `${builds}?per_page=1`, answer: { json: [{}] } }] },
    reading,
    9,
    /without a number/,
  ],
  [
    'a job with a strange number',
    undefined,
    { env: { ...inJob, BUILDKITE_BUILD_NUMBER: 'x' } },
    reading,
    2,
    /BUILDKITE_BUILD_NUMBER/,
  ],
  [
    'a bad slug in the settings',
    '5',
    { flags: { org: '../x' } },
    reading,
    2,
    /organization "\.\.\/x"/,
  ],
])('%s', async (_, text, scenario, options, code, message) => {
  const error: unknown = await resolveBuild(await surroundings(scenario), text, options).catch(
    (reason: unknown) => reason,
  );
  expect(toExit(error)).toBe(code);
  expect((error as Error).message).toMatch(message);
});

test('a branch without builds exits with 7', async () => {
  const exchanges = [{ ...newest('', null), path: /feature%2Fone/ }];
  const context = await surroundings({ exchanges, cwd: await checkout() });
  const attempt = resolveBuild(context, undefined, reading);
  await expect(attempt).rejects.toThrow(
    'no build found for branch feature/one of pipeline acme/web',
  );
});

test('a change prompts with the newest builds on a terminal', async () => {
  const json = [
    { number: 9, state: 'running', branch: 'main', message: 'Second\nmore' },
    { number: 8, state: 'failed' },
  ];
  const exchanges = [{ path: `${builds}?per_page=30`, answer: { json } }];
  const context = await surroundings({ exchanges, chooses: 1 });
  expect(await resolveBuild(context, undefined, changing)).toMatchObject({ number: 8 });
  expect(context.offered).toEqual(['9 | ● running | main | Second', '8 | ✗ failed |  | ']);
});

test('without a profile, reports the credential before the organization', async () => {
  const context = await surroundings({ flags: { baseUrl: 'http://x' } });
  const settings = { ...context.settings };
  delete (settings as { org?: string }).org;
  const error: unknown = await resolveBuild({ ...context, settings }, '5', reading).catch(
    (reason: unknown) => reason,
  );
  expect(toExit(error)).toBe(6);
});

const work = { work: { baseUrl: 'https://api.work.example.com' } };

test.each([
  ['https://work.example.com/acme/web/builds/5', 1],
  ['https://api.work.example.com/v2/organizations/acme/pipelines/web/builds/5', 1],
  ['https://acme.example.com/acme/web/builds/5', 0],
  ['https://nobody.example.com/acme/web/builds/5', 0],
  ['5', 0],
])('%s: reports another profile with that host in %i lines', async (text, lines) => {
  const context = await surroundings({ profiles: work });
  await resolveBuild(context, text, reading);
  expect(context.notes).toHaveLength(lines);
  if (lines === 1) expect(context.notes[0]).toContain('--profile work');
});

test.each<[string | undefined, ListScope, object]>([
  [undefined, 'known', { org: 'acme', pipeline: 'web' }],
  [undefined, 'org', { org: 'acme' }],
  [undefined, 'all', {}],
  ['api', 'known', { org: 'acme', pipeline: 'api' }],
  ['other/api', 'known', { org: 'other', pipeline: 'api' }],
  ['other/api', 'org', { org: 'other' }],
  ['https://ci.example.com/other', 'known', { org: 'other' }],
])('builds list of %s, %s', async (target, level, scope) => {
  expect(await resolveScope(await surroundings(), target, level)).toEqual(scope);
});

test('uses the pipeline from the settings if none is named', async () => {
  const context = await surroundings();
  const reads = { mutates: false };
  expect(await resolvePipeline(context, {}, reads)).toEqual({ org: 'acme', pipeline: 'web' });
  const named = { pipeline: 'api' };
  expect(await resolvePipeline(context, named, reads)).toEqual({ org: 'acme', pipeline: 'api' });
});
