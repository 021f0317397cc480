/** Which of its user's environment variables the built-in service sees. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

const secret = 'of-the-user-0123456789';
const tokens = {
  CICTL_TOKEN: secret,
  CICTL_AGENT_TOKEN: secret,
  BUILDKITE_API_TOKEN: secret,
  BUILDKITE_AGENT_ACCESS_TOKEN: secret,
  GITHUB_TOKEN: secret,
  AWS_SECRET_ACCESS_KEY: secret,
  DB_PASSWORD: secret,
  HTTPS_PROXY: `http://me:${secret}@127.0.0.1:9`,
};

const isLinux = process.platform === 'linux';

test.runIf(isLinux)('in the background, it keeps no secrets of its user', async () => {
  const home = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  const up = await cictl(['local', 'up'], { home, env: tokens });
  expect(up.exitCode).toBe(0);
  const status = await cictl(['local', 'status', '--json'], { home });
  const { pid } = JSON.parse(status.stdout) as { pid: number };
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
  expect(environment).toContain(`HOME=${home.env['HOME'] ?? ''}`);
  expect(environment).not.toContain(secret);
  for (const name of Object.keys(tokens)) expect(environment).not.toContain(`${name}=`);
});

test('settings for other commands do not stop it', async () => {
  const home = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  const env = {
    ...{ CICTL_OUTPUT: 'json', CICTL_PROFILE: 'nobody', CICTL_BASE_URL: 'nowhere' },
    ...{ BUILDKITE_BUILD_NUMBER: '7', CICTL_DEBUG: '1' },
  };
  const up = await cictl(['local', 'up'], { home, env });
  expect(up.exitCode).toBe(0);
  const again = await cictl(['local', 'up', '--port', '1'], { home, env });
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(up.stdout));
});

test.each([
  ['of the service in the background', true],
  ['of a service within run', false],
])('jobs %s see none of them', async (_, inBackground) => {
  const home = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  const file = join(home.cwd, 'seen');
  await pipelineIn(home, 'demo', `steps: [{ command: 'env > ${file}' }]`);
  if (inBackground) await cictl(['local', 'up'], { home, env: tokens });
  const run = await cictl(['run', 'demo'], { home, env: tokens });
  expect(run.exitCode).toBe(0);
  const seen = await readFile(file, 'utf8');
  expect(seen).toContain('BUILDKITE_BUILD_NUMBER=1');
  // The job's own token, for its own build.
  expect(seen).toMatch(/^CICTL_TOKEN=/m);
  expect(seen).not.toContain(secret);
});

test('cictl local in a job uses the service that runs it', async () => {
  const home = await useHome();
  const file = join(home.cwd, 'seen');
  await pipelineIn(home, 'demo', `steps: [{ command: 'cictl local status --json >${file}' }]`);
  const run = await cictl(['run', 'demo'], { home });
  expect(run.exitCode, run.stdout).toBe(0);
  const [, address] = /(http:\/\/127\.0\.0\.1:\d+)\//.exec(run.stdout) ?? [];
  expect(await readFile(file, 'utf8')).toContain(`"${address}"`);
});

test('a data directory given as a relative path is the same for both', async () => {
  const home = await useHome();
  const options = { home, env: { CICTL_DATA_DIR: 'data' } };
  onTestFinished(() => cictl(['local', 'down'], options).then(() => undefined));
  expect((await cictl(['local', 'up'], options)).exitCode).toBe(0);
  expect(await readdir(join(home.cwd, 'data'))).not.toContain('data');
});
