/** Real agents, if available: in the directory `CICTL_TEST_AGENTS`, or on the PATH. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { env } from 'node:process';

/** The newest binary; throws if there is none. */
export function findAgent() {
  const { CICTL_TEST_AGENTS: folder, PATH = '' } = env;
  const versions = folder === undefined ? [] : readdirSync(folder).toSorted().reverse();
  const folders = [folder, ...versions.map((name) => join(folder, name)), ...PATH.split(delimiter)];
  const binaries = folders.filter(Boolean).map((name) => join(name, 'buildkite-agent'));
  const found = binaries.find((path) => existsSync(path));
  if (found === undefined) throw new Error('no buildkite-agent found: set CICTL_TEST_AGENTS');
  return found;
}

/**
 * Starts this many agents in one process.
 *
 * @param {{ endpoint: string, token: string, count: number, folder: string }} options `folder`: for
 * their work
 */
export function startRealAgents({ endpoint, token, count, folder }) {
  const binary = findAgent();
  const child = spawn(
    binary,
    [
      ...['start', '--token', token, '--endpoint', endpoint, '--spawn', String(count)],
      ...['--build-path', join(folder, 'builds'), '--name', 'real-%spawn', '--no-color'],
      ...['--hooks-path', join(folder, 'hooks'), '--plugins-path', join(folder, 'plugins')],
    ],
    {
      env: { PATH: [dirname(binary), env.PATH].join(delimiter), HOME: folder, LANG: 'C.UTF-8' },
      stdio: ['ignore', 'ignore', 'ignore'],
    },
  );
  return {
    close: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGQUIT');
      setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
      await exited;
    },
  };
}
