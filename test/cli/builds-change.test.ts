/** `builds create`, `cancel`, `rebuild` and `view` against a server that expects their requests. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { cictl, type CliOptions } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { serve, type Exchange } from '../support/server.ts';
import { sampled } from '../support/full.ts';

const base = '/v2/organizations/acme/pipelines/web/builds';
const built = { id: 'x', number: 8, state: 'scheduled', web_url: 'https://ci/acme/web/builds/8' };

async function builds(
  args: readonly string[],
  exchanges: readonly Exchange[],
  options: CliOptions = {},
) {
  const { url } = await serve(exchanges);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  return cictl(['builds', ...args], { ...options, env: { ...env, ...options.env } });
}

const post = (body: object): Exchange => ({
  method: 'POST',
  path: base,
  headers: { 'content-type': 'application/json', authorization: 'Bearer t' },
  body,
  answer: { status: 201, json: built },
});

test('create sends every member of the body, and prints the URL in a pipe', async () => {
  const home = await useHome();
  await writeFile(join(home.cwd, 'vars.env'), `export A='one'\nB="two\nlines" # said\n`);
  const { stdout, exitCode } = await builds(
    [
      ...['create', '-c', 'HEAD~1', '-b', 'main', '-m', 'message', '--author', 'Ada <a@b.c>'],
      ...['--env-from', 'vars.env', '-e', 'A=1=2', '-e', 'FROM_HERE', '--meta-data', 'k=v'],
      ...['--clean-checkout', '--ignore-branch-filters', '--pr-id', '12'],
      ...['--pr-base-branch', 'base', '--pr-repository', 'git@h:r.git'],
    ],
    [
      post({
        commit: 'HEAD~1',
        branch: 'main',
        message: 'message',
        author: { name: 'Ada', email: 'a@b.c' },
        env: { A: '1=2', B: 'two\nlines', FROM_HERE: 'yes' },
        meta_data: { k: 'v' },
        clean_checkout: true,
        ignore_pipeline_branch_filters: true,
        pull_request_id: 12,
        pull_request_base_branch: 'base',
        pull_request_repository: 'git@h:r.git',
      }),
    ],
    { home, env: { FROM_HERE: 'yes' } },
  );
  expect([exitCode, stdout]).toEqual([0, 'https://ci/acme/web/builds/8\n']);
});

test('create uses commit and branch of the checkout, and reports uncommitted changes', async () => {
  const home = await useHome();
  const git = (...args: string[]) => execa('git', args, { cwd: home.cwd });
  await git('init', '-q', '-b', 'topic');
  await git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x', '--allow-empty');
  const { stdout: commit } = await git('rev-parse', 'HEAD');
  await writeFile(join(home.cwd, 'new.txt'), '');
  const { exitCode, stderr } = await builds(['create'], [post({ commit, branch: 'topic' })], {
    home,
  });
  expect([exitCode, stderr]).toEqual([
    0,
    `building commit ${commit.slice(0, 10)} without 1 uncommitted change\n`,
  ]);
});

sampled.each(['{"commit":"c","branch":"b","n":12345678901234567890}', '@body.json', '@-'])(
  'create sends the whole body of --body %s with its numbers untouched',
  async (argument) => {
    const home = await useHome();
    const text = '{"commit":"c","branch":"b","n":12345678901234567890}';
    await writeFile(join(home.cwd, 'body.json'), text);
    const exchange = { ...post({}), body: text };
    const { exitCode } = await builds(['create', '--body', argument], [exchange], {
      home,
      stdin: text,
    });
    expect(exitCode).toBe(0);
  },
);

sampled.each([
  [['create'], '--commit'],
  [['create', '-c', 'x'], '--branch'],
  [['create', '--body', '{}', '-m', 'x'], '--body and --message'],
  [['create', '--body', '{'], '--body'],
  [['create', '--body', '[]'], 'JSON object'],
  [['create', '-c', 'x', '-b', 'y', '-e', 'NOT_THERE'], 'NOT_THERE'],
  [['create', '-c', 'x', '-b', 'y', '--author', 'nobody'], 'nobody'],
  [['create', '-c', 'x', '-b', 'y', '--fields', 'nope'], 'nope'],
  [['cancel'], 'BUILD'],
  [['cancel', '8'], '--yes'],
  [['cancel', '0d5a1b0e-5a0b-4b6e-9b1a-000000000000', '-y'], 'number'],
  [['cancel', 'nonsense', '-y'], 'nonsense'],
  [['rebuild'], 'BUILD'],
])('%j is code 2 and sends nothing', async (args, words) => {
  const { exitCode, stdout, stderr } = await builds(args, []);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(words);
});

sampled.each([
  [['create', '-c', 'x', '-b', 'y'], `POST URL${base}\n{"commit":"x","branch":"y"}\n`],
  [['cancel', '8', '9'], `PUT URL${base}/8/cancel\nPUT URL${base}/9/cancel\n`],
  [['rebuild', 'web/8'], `PUT URL${base}/8/rebuild\n`],
])('--dry-run prints %j and sends nothing', async (args, printed) => {
  const { url } = await serve([]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  const { exitCode, stdout } = await cictl(['builds', ...args, '--dry-run'], { env });
  expect([exitCode, stdout]).toEqual([0, printed.replaceAll('URL', url)]);
});

test('cancel looks up latest, then cancels each build', async () => {
  const { stdout, exitCode } = await builds(
    ['cancel', 'latest', 'acme/other/4', '--yes', '-o', 'jsonl', '--fields', 'number'],
    [
      { path: `${base}?per_page=1`, answer: { json: [{ number: 8 }] } },
      { method: 'PUT', path: `${base}/8/cancel`, body: '', answer: { json: built } },
      {
        method: 'PUT',
        path: '/v2/organizations/acme/pipelines/other/builds/4/cancel',
        answer: { json: { number: 4, state: 'canceling' } },
      },
    ],
  );
  expect([exitCode, stdout]).toEqual([0, '{"number":8}\n{"number":4}\n']);
});

test('cancel continues after a failure, reports each, and exits with the largest code', async () => {
  const put = (number: number, answer: NonNullable<Exchange['answer']>): Exchange => ({
    ...{ method: 'PUT', path: `${base}/${number}/cancel`, answer },
  });
  const { stdout, stderr, exitCode } = await builds(
    ['cancel', '7', '8', '9', '10', '8', '--yes'],
    [
      put(7, { status: 404, json: { message: 'Not Found' } }),
      put(8, { json: built }),
      put(9, { status: 422, json: { message: 'it has passed' } }),
      put(10, { json: { ...built, number: 10, web_url: 'https://ci/10' } }),
    ],
  );
  expect([exitCode, stdout]).toEqual([8, 'https://ci/acme/web/builds/8\nhttps://ci/10\n']);
  expect(stderr).toMatch(/^acme\/web\/7: .*\nacme\/web\/9: .*it has passed.*\n/);
  expect(stderr).toContain('cictl: 2 of 4 builds were not canceled\n');
});

sampled.each([
  [{ number: 9, web_url: '' }, '9\n'],
  [{ number: 9, web_url: 5, id: null }, '9\n'],
  [{ id: 'x', number: 9, jobs: {}, message: 7 }, 'x\n'],
])('a change that was answered with %j is done, and prints what it has', async (json, printed) => {
  const rebuild = { method: 'PUT', path: `${base}/8/rebuild`, answer: { json } };
  const { exitCode, stdout, stderr } = await builds(['rebuild', '8'], [rebuild]);
  expect([exitCode, stdout, stderr]).toEqual([0, printed, '']);
  const table = await builds(['rebuild', '8', '-o', 'table'], [rebuild]);
  expect(table.exitCode).toBe(0);
  expect(table.stdout).toMatch(/^✓ created build(?: 9)?\n/);
});

test('rebuild prints the id if there is no URL', async () => {
  const answer = { json: { id: 'new-id', web_url: null } };
  const { stdout } = await builds(
    ['rebuild', '8'],
    [{ method: 'PUT', path: `${base}/8/rebuild`, answer }],
  );
  expect(stdout).toBe('new-id\n');
});

test('a rejection lists every reason', async () => {
  const errors = [{ field: 'commit', code: 'missing' }, { message: 'the branch is closed' }];
  const { exitCode, stderr } = await builds(
    ['create', '-c', 'x', '-b', 'y'],
    [
      {
        ...post({}),
        body: undefined,
        answer: { status: 422, json: { message: 'Validation Failed', errors } },
      },
    ],
  );
  expect(exitCode).toBe(8);
  expect(stderr).toMatch(/Validation Failed.*commit.*missing.*the branch is closed/);
});

test('does not send a POST twice if its response is lost, and warns', async () => {
  const { exitCode, stderr } = await builds(
    ['create', '-c', 'x', '-b', 'y'],
    [{ ...post({ commit: 'x', branch: 'y' }), answer: { fault: 'reset' } }],
  );
  expect(exitCode).toBe(9);
  expect(stderr).toContain('may have');
});

test('view includes retried jobs on request, and names what is missing', async () => {
  const missing = await builds(
    ['view', '9', '--include-retried-jobs'],
    [
      {
        path: `${base}/9?include_retried_jobs=true`,
        answer: { status: 404, json: { message: 'No build found' } },
      },
    ],
  );
  expect(missing.exitCode).toBe(7);
  expect(missing.stderr).toContain('build acme/web/9');
});
