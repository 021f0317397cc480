/** `node bench/fill.js` creates a data directory with builds like those of the service. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

const program = join(import.meta.dirname, '../../bench/fill.js');

test('a filled directory is a service with those builds, and stays unchanged while it runs', async () => {
  const home = await useHome();
  const folder = join(home.root, 'filled');
  const env = { ...home.env, CICTL_DATA_DIR: folder };
  const fill = (builds: number) =>
    promisify(execFile)(process.execPath, [program, String(builds), folder], { env });
  await fill(40);
  await fill(10);
  const local = (...args: string[]) => cictl(args, { home: { ...home, env } });
  onTestFinished(() => local('local', 'down').then(() => undefined));
  await local('local', 'up');
  const list = await local('builds', 'list', '--all-pipelines', '--all', '--profile', 'local');
  expect(list.stdout.split('\n').filter(Boolean)).toHaveLength(50);
  await expect(fill(1)).rejects.toMatchObject({
    code: 1,
    stderr: `cannot use ${folder}: another service is using it\n`,
  });
});
