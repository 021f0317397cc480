/** Compiles the code that most starts run, while the executable is being built. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Calls `run` with the environment of a user whose service has 30 builds. */
export async function withService(run) {
  const home = await mkdtemp(join(tmpdir(), 'cictl-warm-up-'));
  const server = createServer((_, response) => response.end(JSON.stringify(builds)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await writeFile(pipelineIn(home), 'steps: [{ command: echo hi, label: Hello }]');
  try {
    await run({
      ...{ HOME: home, PATH: process.env.PATH, LANG: 'C.UTF-8', CICTL_NO_INPUT: '1' },
      CICTL_BASE_URL: `http://127.0.0.1:${server.address().port}`,
      CICTL_TOKEN: 'token',
    });
  } finally {
    server.close();
    await rm(home, { recursive: true, force: true });
  }
}

const pipelineIn = (home) => join(home, 'pipeline.yml');

/** Common command lines. */
export const usual = (home) => [
  ['builds', 'list', '-o', 'table'],
  ['builds', 'list'],
  ['builds', 'list', '--json', '--jq', '.[].number'],
  ['builds', 'list', '-o', 'yaml'],
  ['profile', 'list'],
  ['run', pipelineIn(home), '--no-tty'],
  ['run', pipelineIn(home), '--plan'],
  ['/dev/null/cictl/dist/buildkite-agent.cjs', '--help'],
];

const builds = Array.from({ length: 30 }, (_, index) => ({
  ...{ number: index + 1, state: 'passed', branch: 'main', message: 'Say hello' },
  ...{ commit: 'a'.repeat(40), created_at: '2026-11-20T10:00:00Z', web_url: 'http://example.org/' },
  ...{ creator: null, pipeline: { slug: 'web', name: 'web' }, jobs: [] },
}));

export async function end(command, args, env) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${args.join(' ')} gave ${status}`);
}
