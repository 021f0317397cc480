/** Start-up: the tool and the agent of jobs against bare Node doing as little, or making the same request. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cleanEnv, measure } from './pair.js';

const here = import.meta.dirname;
const tool = [process.execPath, join(here, '../bin/cictl.js')];
/** As its launcher on the PATH of jobs starts it. */
const agent = [
  '/bin/sh',
  '-c',
  'exec "$0" -- "$@"',
  process.execPath,
  join(here, '../dist/buildkite-agent.cjs'),
];
const example = join(here, '../examples/hello');
const hello = [process.execPath, '-e', 'console.log(1)'];

/** @param {string} folder an empty one, for the tool's own files */
export async function startRows(folder) {
  const server = spawn(process.execPath, [join(here, 'server.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: cleanEnv(),
  });
  const [port] = await once(server.stdout, 'data');
  const url = `http://127.0.0.1:${String(port).trim()}`;
  const env = {
    HOME: folder,
    CICTL_BASE_URL: url,
    CICTL_TOKEN: 'token',
    CICTL_ORG: 'acme',
    CICTL_PIPELINE: 'web',
    BUILDKITE_AGENT_ENDPOINT: `${url}/v3`,
    BUILDKITE_AGENT_ACCESS_TOKEN: 'token',
    BUILDKITE_JOB_ID: 'job',
  };
  const list = [process.execPath, join(here, 'bare-list.js'), url];
  const row = (name, args, theirs, against) => ({
    name,
    against,
    run: () => measure({ ours: [...tool, ...args], theirs, env }),
  });
  return {
    unit: 'ms',
    rows: [
      row('--version', ['--version'], hello, "node -e 'console.log(1)'"),
      row('--help', ['--help'], hello, "node -e 'console.log(1)'"),
      {
        name: 'buildkite-agent meta-data keys',
        against: "node -e 'console.log(1)'",
        run: () => measure({ ours: [...agent, 'meta-data', 'keys'], theirs: hello, env }),
      },
      row('builds list, 30 builds', ['builds', 'list'], list, 'ten lines of node:http'),
      row('run --plan', ['run', example, '--plan'], hello, "node -e 'console.log(1)'"),
    ],
    close: async () => {
      server.kill();
      await once(server, 'exit');
    },
  };
}
