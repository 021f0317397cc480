/** `annotate` and `annotations list`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl, type CliOptions } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { serve, type Exchange } from '../support/server.ts';

const path = '/v2/organizations/acme/pipelines/web/builds/5/annotations';
const insideJob = {
  BUILDKITE_ORGANIZATION_SLUG: 'acme',
  BUILDKITE_PIPELINE_SLUG: 'web',
  BUILDKITE_BUILD_NUMBER: '5',
  BUILDKITE_JOB_ID: 'j',
};

async function run(
  args: readonly string[],
  exchanges: readonly Exchange[],
  options: CliOptions = {},
) {
  const { url } = await serve(exchanges);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', ...options.env };
  return cictl(args, { ...options, env });
}

const post = (body: object): Exchange => ({
  method: 'POST',
  path,
  body,
  answer: { status: 201, json: { id: 'annotation-id', context: 'default' } },
});

test('needs no flag inside a job, and prints the id in a pipe', async () => {
  const { stdout, exitCode } = await run(['annotate', 'hello'], [post({ body: 'hello' })], {
    env: insideJob,
  });
  expect([exitCode, stdout]).toEqual([0, 'annotation-id\n']);
});

test('sends every member', async () => {
  const flags = ['--style', 'warning', '--context', 'lint', '--priority', '10', '--append'];
  const body = { body: '- one', style: 'warning', context: 'lint', priority: 10, append: true };
  const { exitCode } = await run(
    ['annotate', '- one', ...flags, '--build', 'acme/web/5'],
    [post(body)],
  );
  expect(exitCode).toBe(0);
});

const bytes = '\ufeff  # Title\r\n\ttab \u0000 "quoted" 🚀\n\n';

test.each([
  ['standard input', []],
  ['standard input by its name', ['-']],
  ['a file', ['--file', 'body.md']],
])('sends %s byte for byte', async (_, args) => {
  const home = await useHome();
  await writeFile(join(home.cwd, 'body.md'), bytes);
  const { exitCode } = await run(['annotations', 'create', ...args], [post({ body: bytes })], {
    home,
    env: insideJob,
    stdin: bytes,
  });
  expect(exitCode).toBe(0);
});

test.each([
  [['', '--build', 'acme/web/5'], 'empty'],
  [['x', '--priority', '0'], 'between 1 and 10'],
  [['x', '--priority', '11'], 'between 1 and 10'],
  [['x', '--style', 'loud'], 'loud'],
  [['x', '--context', 'c'.repeat(101)], '100 characters'],
  [['x', '--file', 'y'], '--file'],
  [['x'], '--build'],
])('annotate %j exits with 2 and sends nothing', async (args, words) => {
  const env = args.length === 1 ? { CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' } : insideJob;
  const { exitCode, stdout, stderr } = await run(['annotate', ...args], [], { env });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(words);
});

test('a missing file exits with 10', async () => {
  const { exitCode, stderr } = await run(['annotate', '--file', 'gone.md'], [], { env: insideJob });
  expect([exitCode, stderr]).toEqual([10, 'cictl: cannot read gone.md: no such file\n']);
});

test('list filters by style and context', async () => {
  const json = [
    { context: 'a', style: 'error', body_html: '<p>one</p>' },
    { context: 'b', style: 'info', body_html: '<p>two</p>' },
    { context: 'c', style: 'error', body_html: null },
  ];
  const exchange: Exchange = { path: /^\/v2\/.*\/annotations(\?|$)/, answer: { json } };
  const list = (...args: string[]) =>
    run(['annotations', 'list', 'acme/web/5', '--jq', '.[].context', ...args], [exchange]);
  expect((await list('--style', 'error')).stdout).toBe('a\nc\n');
  expect((await list('--context', 'b')).stdout).toBe('b\n');
  expect((await list('--style', 'success')).stdout).toBe('');
});
