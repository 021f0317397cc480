/** `token revoke`. */
import { expect, test } from 'vitest';
import { against, leadTo } from '../support/against.ts';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';

const revoked: Exchange = {
  method: 'DELETE',
  path: '/v2/access-token',
  headers: { authorization: 'Bearer access-token' },
  answer: { status: 204 },
};
const checked: Exchange = { path: '/v2/access-token', answer: { json: { scopes: [] } } };

async function logIn(home: Home, url: string, profile: string): Promise<void> {
  const args = ['auth', 'login', '--profile', profile, '--service', url, '--with-token'];
  expect((await cictl(args, { home, stdin: 'access-token\n' })).exitCode).toBe(0);
}

test('removes the token from every profile that has it, and suggests the next step', async () => {
  const home = await useHome();
  const { url } = await serve([checked, checked, revoked]);
  await logIn(home, url, 'work');
  await logIn(home, url, 'other');
  const { exitCode, stdout, stderr } = await cictl(['token', 'revoke', '--yes'], { home });
  expect([exitCode, stdout]).toEqual([0, '']);
  expect(stderr.split('\n').slice(1)).toEqual([
    'removed it from profile work, other',
    'to log in again: cictl auth login --profile work',
    '',
  ]);
  expect((await cictl(['orgs', 'list'], { home })).exitCode).toBe(6);
});

test('tells the user to unset a token from the environment', async () => {
  const { stderr } = await against([revoked], ['token', 'revoke', '--yes']);
  expect(stderr).toContain('to log in again: unset CICTL_TOKEN; cictl auth login\n');
});

test('a rejection keeps the profile', async () => {
  const home = await useHome();
  const refusal = { ...revoked, answer: { status: 403, json: { message: 'Forbidden' } } };
  const { url } = await serve([checked, refusal]);
  await logIn(home, url, 'work');
  expect((await cictl(['token', 'revoke', '--yes'], { home })).exitCode).toBe(6);
  expect((await cictl(['auth', 'token'], { home })).stdout).toBe('access-token\n');
});

test('asks for confirmation', async () => {
  const { exitCode, stderr } = await against([], ['token', 'revoke']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('add --yes')]);
});

test.skipIf(!hasTerminal)('prompts on a terminal', async () => {
  const { url } = await serve([revoked]);
  const { exitCode, screen } = await cictlInTerminal(['token', 'revoke'], {
    home: await useHome(),
    env: leadTo(url),
    keys: [{ after: /Revoke .*\[y\/N\]/, type: 'yes\r' }],
  });
  expect(exitCode).toBe(0);
  expect(screen).not.toContain('access-token');
});

test('--dry-run sends and removes nothing', async () => {
  // The usual test token is a word of the URL.
  const env = { CICTL_TOKEN: 'bkua_0123' };
  const { exitCode, stdout } = await against([], ['token', 'revoke', '--dry-run'], { env });
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^DELETE .*\/v2\/access-token\n$/)]);
});
