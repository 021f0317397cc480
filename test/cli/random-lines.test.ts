/** Any command line keeps the contract: a documented exit code, one line, no stack trace. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anyService, type AnyService } from '../support/any-service.ts';
import { breaches, runLine } from '../support/breaches.ts';
import { cictl } from '../support/cli.ts';
import { fuzzed } from '../support/fuzz.ts';
import { createHome, type Home } from '../support/home.ts';
import { inProcess } from '../support/in-process.ts';
import { randomLine, randomOf } from '../support/random-lines.ts';
import type { Env } from '../../src/common/env.ts';

/** `npm run fuzz` sets variables for other and more lines. */
const { seed, numRuns: rounds } = fuzzed(1500);
const token = 'bkua_0123456789abcdef';
const secrets = [token, 'bcdefgh'];

let home: Home;
let service: AnyService;
let failure: () => number | undefined = () => undefined;

beforeAll(async () => {
  home = await createHome();
  service = await anyService(() => failure());
  await mkdir(home.configDir, { mode: 0o700 });
  const profiles = { one: { baseUrl: service.url, token, org: 'acme' }, two: {} };
  const file = join(home.configDir, 'profiles.json');
  await writeFile(file, JSON.stringify({ current: 'one', profiles }), { mode: 0o600 });
});

afterAll(async () => {
  await service.close();
  await home.remove();
});

/** Nothing leaves this machine: all other addresses go through a proxy that does not exist. */
const environment = (): Record<string, string> => ({
  ...home.env,
  ...{ CICTL_BASE_URL: service.url, CICTL_TOKEN: token, CICTL_AGENT_TOKEN: token },
  ...{ HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1', BROWSER: '/bin/true' },
});

/** Possible values of environment variables. */
const oddities: readonly Env[] = [
  { CICTL_OUTPUT: 'xml' },
  { CICTL_OUTPUT: 'json' },
  { CICTL_TOKEN: 'two\nlines' },
  { CICTL_TOKEN: undefined },
  { CICTL_BASE_URL: undefined, CICTL_TOKEN: undefined },
  { CICTL_PROFILE: 'nobody' },
  { CICTL_PROFILE: 'one', CICTL_ORG: '..', CICTL_PIPELINE: 'a/b' },
  { CICTL_ORG: 'acme', CICTL_PIPELINE: 'web', CICTL_BUILD: 'latest' },
  { CICTL_ORG: 'acme', CICTL_PIPELINE: 'web', BUILDKITE_BUILD_NUMBER: '1', BUILDKITE_JOB_ID: 'x' },
  { CICTL_REQUEST_TIMEOUT: 'soon' },
  { CICTL_BASE_URL: 'nowhere' },
  { CICTL_CONFIG_DIR: '/dev/null', CICTL_CACHE_DIR: '/dev/null', CICTL_DATA_DIR: '/dev/null' },
];

const failing = [400, 401, 403, 404, 409, 422, 429, 500, 503];

test(`${rounds} random command lines (seed ${seed})`, async () => {
  const random = randomOf(seed);
  failure = () => (random(10) === 0 ? failing[random(failing.length)] : undefined);
  const found: object[] = [];
  const seen = new Map<number, number>();
  for (let run = 0; run < rounds; run++) {
    const args = randomLine({
      random,
      url: service.url,
      // These start programs and services on this machine.
      wanted: ({ name }) => !/^(?:run|local )/.test(name),
    });
    const stdin = ['', '{"a":1}', token, '\ufeff', 'x\0y'][random(5)] ?? '';
    const env = {
      ...environment(),
      ...(random(2) === 0 && { CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' }),
      ...(random(5) === 0 && oddities[random(oddities.length)]),
    };
    const ended = await runLine(args, { env, cwd: home.cwd, stdin, waits: 40 });
    seen.set(ended.exitCode, (seen.get(ended.exitCode) ?? 0) + 1);
    const broken = breaches(args, ended, { env, secrets });
    if (broken.length > 0)
      found.push({ args, broken, env: differing(env), stderr: ended.stderr.slice(-500) });
  }
  expect(found, `seed ${seed}`).toEqual([]);
  // Not all of them may be rejected immediately.
  expect(seen.get(0)).toBeGreaterThan(rounds / 10);
  expect(seen.size).toBeGreaterThan(6);
});

const differing = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => environment()[name] !== value));

test.each([
  [['job', 'env', '1#lint', '--', '']],
  [['help', 'toString']],
  [['help', '__proto__']],
  [['job', 'view', '--build', 'a\nb']],
])('%j, which once failed, exits with 2', async (args) => {
  failure = () => undefined;
  const env = { ...environment(), CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  const ended = await inProcess(args, { env, cwd: home.cwd, stdin: '', waits: 1 });
  expect([breaches(args, ended, { secrets }), ended.exitCode]).toEqual([[], 2]);
});

test(`150 of them through the launcher (seed ${seed})`, async () => {
  failure = () => undefined;
  const random = randomOf(seed + 1);
  const lines = Array.from({ length: 150 }, () =>
    randomLine({
      random,
      url: service.url,
      wanted: ({ name }) => !/^(?:run|builds watch|local (?:up|reset))$/.test(name),
      without: ['watch', 'follow', 'interval'],
    }),
  );
  const found: object[] = [];
  const next = async (): Promise<void> => {
    for (let args = lines.pop(); args !== undefined; args = lines.pop()) {
      const options = { home, env: environment(), stdin: '{"a":1}' };
      const { exitCode, stdout, stderr } = await cictl(args, options);
      const failed = /^(?:cictl: |\{"error")/m.test(stderr);
      const broken = breaches(args, { exitCode, stdout, stderr, failed }, { secrets });
      if (broken.length > 0) found.push({ args, broken, stderr: stderr.slice(-500) });
    }
  };
  await Promise.all([next(), next(), next()]);
  expect(found, `seed ${seed}`).toEqual([]);
});
