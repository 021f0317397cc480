/** Secrets that the process knows never appear on standard error, whoever repeats them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve } from '../support/server.ts';

const secret = 'bkua_0123456789abcdef';
const redacted = '[REDACTED]';

async function homeWith(profiles: object, current?: string): Promise<Home> {
  const home = await useHome();
  await mkdir(home.configDir, { mode: 0o700 });
  const file = join(home.configDir, 'profiles.json');
  await writeFile(file, JSON.stringify({ current, profiles }), { mode: 0o600 });
  return home;
}

/** A service that repeats the secret in a 400 response. */
const repeating = (text: string) =>
  serve([
    {
      path: /./,
      answer: { status: 400, json: { message: `bad token ${text}`, errors: [`what is ${text}`] } },
    },
  ]);

/** Where the process gets the secret from. */
const sources: Readonly<
  Record<string, (url: string) => Promise<{ home: Home; env: Record<string, string> }>>
> = {
  CICTL_TOKEN: async (url) => ({
    home: await useHome(),
    env: { CICTL_BASE_URL: url, CICTL_TOKEN: secret },
  }),
  CICTL_AGENT_TOKEN: async (url) => ({
    home: await useHome(),
    env: { CICTL_BASE_URL: url, CICTL_TOKEN: 'another-one', CICTL_AGENT_TOKEN: secret },
  }),
  'BUILDKITE_API_TOKEN outside a job': async (url) => ({
    home: await useHome(),
    env: { CICTL_BASE_URL: url, CICTL_TOKEN: 'another-one', BUILDKITE_API_TOKEN: secret },
  }),
  'the profile in use': async (url) => ({
    home: await homeWith({ one: { baseUrl: url, token: secret } }, 'one'),
    env: {},
  }),
  'a profile that is not in use': async (url) => ({
    home: await homeWith({ two: { agentToken: secret } }),
    env: { CICTL_BASE_URL: url, CICTL_TOKEN: 'another-one' },
  }),
  'the password of a proxy': async (url) => ({
    home: await useHome(),
    env: {
      CICTL_BASE_URL: url,
      CICTL_TOKEN: 'another-one',
      https_proxy: `http://me:${secret}@proxy.test:3128`,
    },
  }),
};

describe.each(Object.entries(sources))('does not show a secret from %s', (_, from) => {
  test('if the service repeats it', async () => {
    const { url } = await repeating(secret);
    const { stderr, exitCode } = await cictl(['orgs', 'list'], await from(url));
    expect(stderr).toContain(`bad token ${redacted} (what is ${redacted})`);
    expect(stderr).not.toContain('0123456789');
    expect(exitCode).toBe(8);
  });

  test('in a JSON error and in --debug output', async () => {
    const { url } = await repeating(`${secret} ${encodeURIComponent(`"${secret}"`)}`);
    const { stderr } = await cictl(['orgs', 'list', '--json', '--debug'], await from(url));
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
      error: { message: string; details: string[] };
    };
    expect(error.message).toContain(`bad token ${redacted}`);
    expect(error.details.join()).toContain(redacted);
    // The stack trace starts with the message.
    expect(stderr).toMatch(/Error: .*bad token \[REDACTED\][^\n]*\n {4}at /);
    expect(stderr).not.toContain('0123456789');
  });

  test('if it was typed as an argument', async () => {
    const { url } = await serve([]);
    const { stderr, exitCode } = await cictl(['orgs', 'list', secret], await from(url));
    expect(stderr).toBe(
      `cictl: orgs list does not take the argument "${redacted}"\n  try: cictl orgs list --help\n`,
    );
    expect(exitCode).toBe(2);
  });
});

test('does not show a token from standard input', async () => {
  const { url } = await repeating(secret);
  const args = ['auth', 'login', '--service', url, '--with-token'];
  const { stderr, exitCode } = await cictl(args, { stdin: `${secret}\n` });
  expect(stderr).toContain(`bad token ${redacted}`);
  expect(stderr).not.toContain(secret);
  expect(exitCode).toBe(8);
});

test.skipIf(!hasTerminal)('does not show a typed token', async () => {
  const { url } = await repeating(secret);
  const { screen, exitCode } = await cictlInTerminal(['auth', 'login', '--service', url], {
    home: await useHome(),
    keys: [{ after: 'Access token: ', type: `${secret}\r` }],
  });
  expect(screen).toContain(`bad token ${redacted}`);
  expect(screen).not.toContain(secret);
  expect(exitCode).toBe(8);
});

test('does not show the tokens of the built-in service', async () => {
  const home = await useHome();
  const { url } = await serve([
    { path: '/local/v1/status', answer: { json: {} } },
    {
      path: '/local/v1/tokens',
      method: 'POST',
      answer: { status: 400, json: { message: secret } },
    },
  ]);
  const state = { url, pid: 1, adminToken: secret, token: 'x', agentToken: 'y' };
  await mkdir(home.dataDir);
  await writeFile(join(home.dataDir, 'service.json'), JSON.stringify(state));
  const { stderr, exitCode } = await cictl(['local', 'up'], { home });
  expect([stderr, exitCode]).toEqual([`cictl: ${redacted}\n`, 8]);
});

test('auth status and api give the reason without the token', async () => {
  for (const args of [
    ['auth', 'status'],
    ['api', 'user', '-i'],
  ]) {
    const { url } = await repeating(secret);
    const env = { CICTL_BASE_URL: url, CICTL_TOKEN: secret };
    const { stderr, exitCode } = await cictl(args, { env });
    expect(stderr).toContain(redacted);
    expect(stderr).not.toContain(secret);
    expect(exitCode).toBe(8);
  }
});

test.skipIf(!hasTerminal)('builds watch on a terminal reports an outage without it', async () => {
  const answer = { status: 500, json: { message: `bad token ${secret}` } };
  const json = { number: 7, state: 'passed', jobs: [] };
  const { url } = await serve([
    { path: /./, answer },
    { path: /./, answer: { json } },
  ]);
  const { screen, exitCode } = await cictlInTerminal(['builds', 'watch', 'acme/web/7'], {
    home: await useHome(),
    env: { CICTL_BASE_URL: url, CICTL_TOKEN: secret },
  });
  expect(screen).toContain(`bad token ${redacted}`);
  expect(screen).not.toContain(secret);
  expect(exitCode).toBe(0);
});

test('builds failures reports a missing log without it', async () => {
  const job = { id: 'j1', type: 'script', name: 'a', state: 'failed', started_at: '2026-01-01' };
  const build = { number: 7, state: 'failed', jobs: [job] };
  const answer = { status: 400, json: { message: `bad token ${secret}` } };
  for (const format of ['--json', '--markdown']) {
    const { url } = await serve([
      { path: /./, answer: { json: build } },
      { path: /./, answer },
      { path: /./, answer },
    ]);
    const env = { CICTL_BASE_URL: url, CICTL_TOKEN: secret };
    const { stdout, exitCode } = await cictl(['builds', 'failures', 'acme/web/7', format], { env });
    expect(stdout).toContain(`bad token ${redacted}`);
    expect(stdout).not.toContain(secret);
    expect(exitCode).toBe(0);
  }
});

test('metrics --listen reports an error to a scraper without it', async () => {
  const counts = { scheduled: 0, running: 0, waiting: 0, total: 0, queues: {} };
  const metrics = { agents: { idle: 0, busy: 0, total: 0, queues: {} }, jobs: counts };
  const headers = { 'buildkite-agent-metrics-poll-duration': '1' };
  const { url } = await serve([
    { path: /./, answer: { json: metrics, headers } },
    { path: /./, answer: { status: 400, json: { message: `bad token ${secret}` } } },
  ]);
  const env = { CICTL_BASE_URL: url, CICTL_AGENT_TOKEN: secret };
  const child = startCictl(['metrics', '--listen', '0'], await useHome(), { env });
  const address = await new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk: Uint8Array) => {
      const found = /http:\S+\/metrics/.exec(new TextDecoder().decode(chunk))?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  const text = await until(async () => (await fetch(address)).text(), /bad token/);
  expect(text).toContain(`bad token ${redacted}`);
  child.kill('SIGTERM');
  await child;
});

test('does not show Basic credentials that a service repeats', async () => {
  const basic = Buffer.from(`me:${secret}`).toString('base64');
  const { url } = await repeating(`Basic ${basic}`);
  const env = {
    ...{ CICTL_BASE_URL: url, CICTL_TOKEN: 'another-one' },
    HTTPS_PROXY: `http://me:${secret}@proxy.test:3128`,
  };
  const { stderr } = await cictl(['orgs', 'list'], { env });
  expect(stderr).toContain(redacted);
  expect(stderr).not.toContain(basic.slice(6, -4));
});

test('rejects a URL with a password without showing it', async () => {
  const args = ['orgs', 'list', '--base-url', 'https://me:hunter22@ci.test'];
  const { stderr, exitCode } = await cictl(args);
  expect(stderr).toContain(`https://me:${redacted}@ci.test`);
  expect(stderr).not.toContain('hunter22');
  expect(exitCode).toBe(2);
});

test('--dry-run shows a request without it', async () => {
  const { url } = await serve([]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: secret };
  const args = ['api', `things?token=${secret}`, '-f', `token=${secret}`, '--dry-run'];
  expect((await cictl(args, { env })).stdout).toBe(
    `POST ${url}/v2/things?token=${redacted}\n{"token":"${redacted}"}\n`,
  );
  expect(JSON.parse((await cictl([...args, '--json'], { env })).stdout)).toEqual({
    method: 'POST',
    url: `${url}/v2/things?token=${redacted}`,
    body: { token: redacted },
  });
});

test('prints data unchanged', async () => {
  const { url } = await serve([{ path: '/v2/echo', answer: { json: { token: secret } } }]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: secret };
  expect((await cictl(['api', 'echo'], { env })).stdout).toBe(`{"token":"${secret}"}`);
});

test('keeps a word that is too short to be a secret', async () => {
  const { url } = await repeating('that was given');
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'token' };
  expect((await cictl(['orgs', 'list'], { env })).stderr).toContain('bad token that was given');
});

/** The first matching text. */
async function until(read: () => Promise<string>, pattern: RegExp): Promise<string> {
  for (;;) {
    const text = await read();
    if (pattern.test(text)) return text;
  }
}
