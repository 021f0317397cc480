/** Runs the commands of docs/agents.md with real agents, as a user with an empty HOME. */
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { findAgents } from '../support/agents.ts';
import { freePort } from '../support/free-port.ts';
import { useHome } from '../support/home.ts';
import { withPrograms } from '../support/on-path.ts';
import { scriptOf, shellBlocks } from './shell-blocks.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/agents.md'), 'utf8');
const blocks = shellBlocks(page);
const agents = findAgents(process.env);
const port = await freePort();

test('the page has commands for this machine and for others', () => {
  expect(blocks).toHaveLength(2);
});

test.skipIf(agents.length === 0).each(agents)(
  'the commands work with agent $version',
  async ({ path }) => {
    const home = await useHome();
    const own = await withPrograms(home);
    const env = { ...own, PATH: [dirname(path), own['PATH']].join(delimiter) };
    const bash = (script: string) =>
      execa('bash', ['-c', script], { cwd: home.cwd, env, extendEnv: false, reject: false });
    onTestFinished(async () => {
      await bash('cictl local down');
    });
    // Another service may use the port, and another agent may use the directory.
    const scripts = blocks.map((block) =>
      block
        .replaceAll('8090', String(port))
        .replace('/tmp/builds &', `${join(home.root, 'builds')} > agent.log 2>&1 &`),
    );
    for (const script of scripts) {
      const { exitCode, stdout, stderr } = await bash(`${scriptOf(script)}\nwait`);
      expect(exitCode, stdout + stderr).toBe(0);
      expect(stdout).toMatch(/^uname -a \| (?:Linux|Darwin) /m);
      expect(stdout).toMatch(/^(?:agent|rack)-1\tidle\tqueue=/m);
    }
  },
);
