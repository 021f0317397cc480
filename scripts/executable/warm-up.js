/** Compiles the code that most starts run, while the executable is being built. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Runs common commands on `node`, which the executable is built from, and writes V8's compiled code
 * of each file to the directory `code`.
 * @param {Record<string, string>} assets maps names in the executable to files
 */
export async function warmUp(node, assets, code) {
  await mkdir(code, { recursive: true });
  const list = resolve(code, '../assets.json');
  await writeFile(list, JSON.stringify(assets));
  const home = await mkdtemp(join(tmpdir(), 'cictl-warm-up-'));
  const server = createServer((_, response) => response.end(JSON.stringify(builds)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = {
    ...{ HOME: home, PATH: process.env.PATH, LANG: 'C.UTF-8', CICTL_NO_INPUT: '1' },
    CICTL_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    CICTL_TOKEN: 'token',
  };
  const pipeline = join(home, 'pipeline.yml');
  // The steps must not run `cictl`: the Node that runs them does not contain these files.
  await writeFile(pipeline, 'steps: [{ command: echo hi, label: Hello }]');
  const program = [resolve('scripts/executable/warm.cjs'), list, resolve(code)];
  try {
    for (const words of usual(node, pipeline)) await end(node, [...program, ...words], env);
  } finally {
    server.close();
    await rm(home, { recursive: true, force: true });
  }
}

const usual = (node, pipeline) => [
  ['builds', 'list', '-o', 'table'],
  ['builds', 'list'],
  ['builds', 'list', '--json', '--jq', '.[].number'],
  ['builds', 'list', '-o', 'yaml'],
  ['profile', 'list'],
  ['run', pipeline, '--no-tty'],
  ['run', pipeline, '--plan'],
  [join(node, 'dist/buildkite-agent.cjs'), '--help'],
];

const builds = Array.from({ length: 30 }, (_, index) => ({
  ...{ number: index + 1, state: 'passed', branch: 'main', message: 'Say hello' },
  ...{ commit: 'a'.repeat(40), created_at: '2026-11-20T10:00:00Z', web_url: 'http://example.org/' },
  ...{ creator: null, pipeline: { slug: 'web', name: 'web' }, jobs: [] },
}));

async function end(command, args, env) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${args.slice(3).join(' ')} gave ${status}`);
}
