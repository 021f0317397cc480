/** "More machines" of the README, typed as it stands by a user with an empty HOME and real agents. */
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { findAgents } from '../support/agents.ts';
import { freePort } from '../support/free-port.ts';
import { useHome } from '../support/home.ts';
import { withPrograms } from '../support/on-path.ts';

const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
const block = /^## More machines\n.*?^```sh\n(.*?)^```/ms.exec(readme)?.[1] ?? '';
const agents = findAgents(process.env);

test('it has ten lines', () => {
  expect(block.trimEnd().split('\n')).toHaveLength(10);
});

test.skipIf(agents.length === 0).each(agents)(
  'works as printed with $version',
  async ({ path }) => {
    const home = await useHome();
    const own = await withPrograms(home);
    const env = { ...own, PATH: [dirname(path), own['PATH']].join(delimiter) };
    const bash = (script: string) =>
      execa('bash', ['-c', script], { cwd: home.cwd, env, extendEnv: false, reject: false });
    onTestFinished(async () => {
      await bash('cictl local down');
    });
    // Another service may have the port, and another agent the folder.
    const here = block
      .replaceAll('8090', String(await freePort()))
      .replace('/tmp/builds &', `${join(home.root, 'builds')} > agent.log 2>&1 &`);
    const { exitCode, stdout, stderr } = await bash(`set -e\n${here}wait`);
    expect(exitCode, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/^uname -a \| Linux |^uname -a \| Darwin /m);
    expect(stdout).toMatch(/^rack-1\tidle\tqueue=rack\t/m);
    expect(stderr).toContain('agent rack-1 is paused for 1h\n');
    expect(stderr).toContain('agent rack-1 gets jobs again\n');
    expect(stderr).toMatch(/^agent rack-1 ends$/m);
  },
);
