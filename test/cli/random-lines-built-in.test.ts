/** Any command line with the built-in service keeps the contract and leaves no process running. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCommandLine } from '../../src/cli/program.ts';
import { breaches, runLine } from '../support/breaches.ts';
import { cictl } from '../support/cli.ts';
import { fuzzed, fuzzSeed } from '../support/fuzz.ts';
import { createHome, type Home } from '../support/home.ts';
import { randomLine, randomOf } from '../support/random-lines.ts';

const pipeline = 'steps: [{ label: Lint, key: lint, command: echo one }, { block: Go?, key: go }]';

const rounds = fuzzed(1500).numRuns;
let home: Home;
let url = '';
let profiles = '';
const secrets = new Set<string>(['bcdefgh']);

const profileFile = (): string => join(home.configDir, 'profiles.json');
const type = (line: string) => cictl(line.split(' '), { home, cwd: home.cwd });
/** The same in this process. */
const typeHere = (line: string) =>
  runLine(line.split(' '), { env: home.env, cwd: home.cwd, stdin: '', waits: 0 });

beforeAll(async () => {
  home = await createHome();
  await mkdir(join(home.cwd, '.buildkite'));
  await writeFile(join(home.cwd, '.buildkite/pipeline.yml'), pipeline);
  await setUp();
});

afterAll(async () => {
  await type('local down');
  await home.remove();
});

/** Creates everything that random lines refer to, in two organizations. */
async function setUp(): Promise<void> {
  const lines = [
    ...['local up', 'profile use local', 'local org add acme'],
    ...['local pipeline add . --slug web --org acme', 'local pipeline add . --slug web'],
    'profile set org acme',
  ];
  for (const line of lines) await type(line);
  await refreshToken();
  for (const message of ['one', 'two'])
    await type(`builds create -p web -c HEAD -b main -m ${message} --watch --yes`);
}

/**
 * A line may revoke the token, change the profile or remove the pipeline, so everything is restored
 * for the next one.
 */
async function refreshToken(): Promise<void> {
  const { stdout } = await typeHere('local token create --org acme --org local');
  const file = JSON.parse(readFileSync(profileFile(), 'utf8')) as {
    profiles: { local: { baseUrl: string; token: string; agentToken?: string } };
  };
  const { local } = file.profiles;
  url = local.baseUrl;
  local.token = stdout.trim();
  for (const secret of [local.token, local.agentToken]) if (secret) secrets.add(secret);
  profiles = JSON.stringify(file);
  writeFileSync(profileFile(), profiles, { mode: 0o600 });
}

async function repair(name: string): Promise<void> {
  if (name === 'token revoke' || name === 'auth logout') await refreshToken();
  else if (name === 'local pipeline remove') {
    await typeHere('local pipeline add . --slug web --org acme');
    await typeHere('local pipeline add . --slug web');
    await typeHere('builds create -p web -c HEAD -b main -m again --yes');
  } else if (/^(?:auth|profile) /.test(name))
    writeFileSync(profileFile(), profiles, { mode: 0o600 });
}

test(`${rounds} random command lines (seed ${fuzzSeed})`, async () => {
  const random = randomOf(fuzzSeed);
  const found: object[] = [];
  const seen = new Map<number, number>();
  const names = new Set<string>();
  for (let run = 0; run < rounds; run++) {
    // These start background programs or stop the service; they are tested below.
    const wanted = ({ name }: { name: string }) => !/^(?:run|local (?:up|down|reset))$/.test(name);
    const args = randomLine({ random, url, wanted });
    const env = {
      ...home.env,
      ...{ HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1', BROWSER: '/bin/true' },
      ...(random(3) === 0 && { CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' }),
      ...(random(4) === 0 && { CICTL_BASE_URL: url, CICTL_TOKEN: [...secrets].at(-1) }),
    };
    const stdin = ['', '{"a":1}', '\ufeff', 'x\0y'][random(4)] ?? '';
    const ended = await runLine(args, { env, cwd: home.cwd, stdin, waits: 20 });
    const name = readCommandLine(args).entry?.command.name ?? '';
    seen.set(ended.exitCode, (seen.get(ended.exitCode) ?? 0) + 1);
    if (ended.exitCode === 0) names.add(name);
    const broken = breaches(args, ended, { env, secrets: [...secrets] });
    if (broken.length > 0) found.push({ args, broken, stderr: ended.stderr.slice(-500) });
    if (ended.exitCode === 0 && !args.includes('--dry-run')) await repair(name);
  }
  expect(found, `seed ${fuzzSeed}`).toEqual([]);
  // Most commands must actually have succeeded instead of being rejected.
  expect(seen.get(0)).toBeGreaterThan(rounds / 6);
  expect(names.size).toBeGreaterThan(45);
});

test(`30 lines that run pipelines, start, stop and reset the service (seed ${fuzzSeed})`, async () => {
  const random = randomOf(fuzzSeed + 1);
  const wanted = ({ name }: { name: string }) =>
    /^(?:run|local (?:up|down|reset|status))$/.test(name);
  const without = ['watchFiles', 'foreground', 'shellOnFailure', 'inheritEnv', 'plugins'];
  const lines = Array.from({ length: 30 }, () => randomLine({ random, url, wanted, without }));
  const found: object[] = [];
  const next = async (): Promise<void> => {
    for (let args = lines.pop(); args !== undefined; args = lines.pop()) {
      const ended = await cictl(args, { home, cwd: home.cwd, stdin: '{"a":1}' });
      const failed = /^(?:cictl: |\{"error")/m.test(ended.stderr);
      const broken = breaches(args, { ...ended, failed }, { secrets: [...secrets] });
      if (broken.length > 0) found.push({ args, broken, stderr: ended.stderr.slice(-500) });
    }
  };
  await Promise.all([next(), next(), next()]);
  expect(found, `seed ${fuzzSeed}`).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('leaves nothing running', async () => {
  const { exitCode } = await type('local down');
  expect(exitCode).toBe(0);
  await expect.poll(() => processesOf(home.root)).toEqual([]);
});

/** The command lines of processes whose environment contains this directory. */
function processesOf(folder: string): string[] {
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && read(pid, 'environ').includes(folder))
    .map((pid) => read(pid, 'cmdline').replaceAll('\0', ' '));
}
