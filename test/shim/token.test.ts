/** The token of a job: valid for its job and build, and only while the job runs. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

const routes: readonly [method: string, path: string][] = [
  ['POST', '/v3/jobs/JOB/annotations'],
  ['DELETE', '/v3/jobs/JOB/annotations/c'],
  ['POST', '/v3/jobs/JOB/data/get'],
  ['POST', '/v3/jobs/JOB/data/set'],
  ['POST', '/v3/builds/BUILD/data/get'],
  ['POST', '/v3/jobs/JOB/pipelines'],
  ['PUT', '/v3/jobs/JOB'],
  ['GET', '/v3/jobs/JOB/secrets?key=x'],
  ['POST', '/v3/builds/BUILD/cancel'],
];
const other = '01234567-89ab-4cde-8f01-23456789abcd';

test('it opens no other job or build, and nothing when its job has finished', async () => {
  const home = await useHome();
  const folder = await pipelineIn(
    home,
    'demo',
    'steps: [{ command: bash script }, wait, { command: "until [ -e over ]; do sleep 0.05; done" }]',
  );
  const names =
    'BUILDKITE_AGENT_ENDPOINT BUILDKITE_AGENT_ACCESS_TOKEN BUILDKITE_JOB_ID BUILDKITE_BUILD_ID';
  await writeFile(
    join(folder, 'script'),
    `for name in ${names}; do echo "\${!name}"; done > access.new; mv access.new access
    until [ -e done ]; do sleep 0.05; done`,
  );
  const run = startCictl(['run'], home, { cwd: folder });
  try {
    const access = await eventually(() => readFile(join(folder, 'access'), 'utf8'));
    const [endpoint = '', token = '', job = '', build = ''] = access.split('\n');
    const base = endpoint.replace('/v3', '');
    const status = async (path: string, method: string, secret = token): Promise<number> => {
      const headers = { authorization: `Token ${secret}`, 'content-type': 'application/json' };
      const body = method === 'GET' ? null : '{}';
      return (await fetch(`${base}${path}`, { method, headers, body })).status;
    };
    for (const [method, path] of routes) {
      const foreign = path.replace('JOB', other).replace('BUILD', other);
      expect([path, await status(foreign, method)]).toEqual([path, 401]);
      const own = path.replace('JOB', job).replace('BUILD', build);
      expect([path, await status(own, method, 'wrong')]).toEqual([path, 401]);
    }
    expect(await status(`/v3/jobs/${job}/data/keys`, 'POST')).toBe(200);
    expect(await status(`/v3/builds/${build}/data/keys`, 'POST')).toBe(200);
    await writeFile(join(folder, 'done'), '');
    await eventually(async () => {
      expect(await status(`/v3/jobs/${job}/data/keys`, 'POST')).toBe(401);
    });
  } finally {
    await writeFile(join(folder, 'over'), '');
    await run;
  }
});

/** Repeats the action until it succeeds. The test's own timeout is the limit. */
async function eventually<T>(action: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await action();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
