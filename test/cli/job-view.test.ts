/** `job view`: where JOB is searched for. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';

const id = (digit: number): string => `0190046e-e199-453b-a302-a21a4d649d3${digit}`;
const old = { id: id(1), type: 'script', name: 'test', step_key: 'unit', state: 'failed' };
const gone = { id: id(2), type: 'script', name: 'lint', step_key: 'lint', state: 'failed' };
const now = { ...old, id: id(3), state: 'passed' };

const path = '/v2/organizations/acme/pipelines/web/builds/7';
const current: Exchange = { path, answer: { json: { number: 7, jobs: [now] } } };
const withRetried: Exchange = {
  path: `${path}?include_retried_jobs=true`,
  answer: { json: { number: 7, jobs: [old, gone, now] } },
};

async function view(args: readonly string[], exchanges: readonly Exchange[]) {
  const { url } = await serve(exchanges);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
  return { env, result: await cictl(['job', 'view', ...args], { env }) };
}

test('finds a retried job by its step key with one request', async () => {
  const args = ['web/7#lint', '--include-retried-jobs', '--jq', '.id'];
  const { result } = await view(args, [withRetried]);
  expect(result).toMatchObject({ stdout: `${gone.id}\n`, stderr: '', exitCode: 0 });
});

test('a retried step lists all its jobs with their ids', async () => {
  const { result } = await view(['web/7#unit', '--include-retried-jobs'], [withRetried]);
  expect(result).toMatchObject({ stdout: '', exitCode: 2 });
  expect(result.stderr).toContain(`${old.id} test (failed)`);
  expect(result.stderr).toContain(`${now.id} test (passed)`);
});

test('without the flag, a step means its latest job', async () => {
  const { result } = await view(['web/7#unit', '--jq', '.id'], [current]);
  expect(result).toMatchObject({ stdout: `${now.id}\n`, exitCode: 0 });
});

test.skipIf(!hasTerminal)('the prompt includes retried jobs', async () => {
  const home = await useHome();
  const { url } = await serve([withRetried]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
  const args = ['job', 'view', '--build', 'web/7', '--include-retried-jobs', '--no-pager'];
  const keys = [
    { after: /❯/, type: 'lint' },
    { after: /lint[^]*❯/, type: '\r' },
  ];
  const { screen } = await cictlInTerminal(args, { home, env, keys });
  expect(screen).toContain(gone.id);
});

const ended = { started_at: '2026-11-20T10:00:00Z', finished_at: '2026-11-20T10:01:35Z' };

test.each([
  [
    { ...old, exit_status: 1, retries_count: 1, ...ended },
    /^✗ test failed in 1m35s, .* · exit 1 · retried once · web #7\nid +0190/,
    /\nnext: cictl job log web\/7#unit\n$/,
  ],
  [
    { ...now, state: 'running', started_at: '2026-11-20T10:00:00Z' },
    /^● test running for /,
    /\nnext: cictl job log web\/7#unit --follow\n$/,
  ],
  [
    { id: id(4), type: 'manual', label: 'Release?', step_key: 'unit', state: 'blocked' },
    /^■ Release\? blocked · web #7\n/,
    /\nnext: cictl job unblock web\/7#unit\n$/,
  ],
  [{ ...now, state: 'waiting' }, /^○ test waiting · web #7\n/, /\n(?!next)[^\n]*\n$/],
])('the table has a heading and the next command: %#', async (job, heading, next) => {
  const answer = { json: { number: 7, jobs: [job] } };
  const { result } = await view(['web/7#unit', '-o', 'table'], [{ path, answer }]);
  expect([result.exitCode, result.stderr]).toEqual([0, '']);
  expect(result.stdout).toMatch(heading);
  expect(result.stdout).toMatch(next);
});
