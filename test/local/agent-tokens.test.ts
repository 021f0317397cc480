/** `local agent-token`: registration tokens for agents on other machines. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

async function useLocal() {
  const home = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  const tokens = (...args: string[]) => cictl(['local', 'agent-token', ...args], { home });
  return { home, tokens, up: () => cictl(['local', 'up'], { home }) };
}

test('create prints only the token, which works until it is revoked', async () => {
  const { tokens, up } = await useLocal();
  const url = (await up()).stdout.trim();
  const first = await tokens('create', '--description', 'the rack');
  expect([first.exitCode, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toMatch(/^cictl_agent_[0-9a-f]{40}\n$/);
  const second = await tokens('create', '--json');
  const made = JSON.parse(second.stdout) as { token: string; uuid: string };

  const statusWith = async (token: string): Promise<number> => {
    const headers = { authorization: `Token ${token.trim()}` };
    return (await fetch(`${url}/v3/metrics`, { headers })).status;
  };
  expect(await Promise.all([first.stdout, made.token].map(statusWith))).toEqual([200, 200]);
  expect((await tokens('revoke', made.uuid)).exitCode).toBe(0);
  expect(await Promise.all([first.stdout, made.token].map(statusWith))).toEqual([200, 401]);
  expect(await tokens('revoke', made.uuid)).toMatchObject({
    exitCode: 7,
    stderr: `cictl: no agent token "${made.uuid}"\n  try: cictl local agent-token list\n`,
  });
  expect((await tokens('revoke', '')).exitCode).toBe(2);
  expect((await tokens('revoke', made.uuid, '--org', 'none')).stderr).toMatch(/No organization/);
});

test('no created token is in the data or in list', async () => {
  const { home, tokens } = await useLocal();
  const { stdout } = await tokens('create', '--description', 'the rack');
  const list = await tokens('list', '--json');
  const [newest] = JSON.parse(list.stdout) as object[];
  expect(newest).toEqual({
    uuid: expect.any(String) as string,
    description: 'the rack',
    created_at: expect.stringMatching(/Z$/) as string,
  });
  expect(list.stdout).not.toContain('cictl_');
  for (const name of await readdir(home.dataDir, { recursive: true })) {
    const bytes = await readFile(join(home.dataDir, name)).catch(() => Buffer.of());
    expect([name, bytes.includes(stdout.trim())]).toEqual([name, false]);
  }
});

test('each organization has its own tokens', async () => {
  const { home, tokens } = await useLocal();
  await cictl(['local', 'org', 'add', 'acme'], { home });
  await tokens('create', '--org', 'acme', '--description', 'of acme');
  expect((await tokens('list', '--org', 'acme')).stdout).toContain('of acme');
  const own = await tokens('list');
  expect(own.stdout).not.toContain('of acme');
  const { stdout } = await tokens('list', '--org', 'acme', '--fields', 'uuid');
  // The newest token is listed first.
  expect((await tokens('revoke', stdout.split('\n')[0] ?? '')).exitCode).toBe(7);
  expect((await tokens('list', '--org', 'none')).exitCode).toBe(7);
});

test('--dry-run shows the request, and creates, revokes, stores and removes nothing', async () => {
  const home = await useHome();
  const dry = (...args: string[]) =>
    cictl(['local', ...args, '--dry-run'], { home, stdin: 'horse\nline\n' });
  const made = await dry('agent-token', 'create', '--description', 'the rack');
  expect(made.stdout).toMatch(
    /^POST http:\S+\/organizations\/local\/agent-tokens\n\{"description":"the rack"\}\n$/,
  );
  const list = async (what: string) => (await cictl(['local', what, 'list'], { home })).stdout;
  const [uuid = ''] = (await list('agent-token')).split('\t');
  expect((await dry('agent-token', 'revoke', uuid)).stdout).toMatch(/^DELETE .*\n$/);
  expect((await list('agent-token')).split('\n')).toEqual([expect.stringContaining(uuid), '']);
  const { stdout } = await dry('secret', 'set', 'FOO');
  expect(stdout).toMatch(/^PUT .*\/secrets\/FOO\n/);
  expect(stdout).toContain('{"value":"[REDACTED]"}');
  expect(stdout).not.toContain('horse');
  expect(await list('secret')).toBe('');
});
