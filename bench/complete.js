/** Completion: the cost of a Tab compared to bare Node, and to ten lines that send its request. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cleanEnv, measure, measureCpu } from './pair.js';

const here = import.meta.dirname;
const tool = [process.execPath, join(here, '../bin/cictl.js'), '__complete', '--'];
const hello = [process.execPath, '-e', 'console.log(1)'];
const builds = ['builds', 'view', ''];

/** @param {string} folder an empty directory for the tool's own files */
export async function completionRows(folder) {
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
  };
  const row = (name, words, theirs, against, goal) => ({
    ...{ name: `completion of ${name}`, against: `${against}, in CPU time`, goal },
    run: () => measureCpu({ ours: [...tool, ...words], theirs, env }),
  });
  const printing = "node -e 'console.log(1)'";
  const bareList = [process.execPath, join(here, 'bare-list.cjs'), url];
  return {
    unit: 'ms',
    rows: [
      row('a word', ['builds', 'li'], hello, printing, 'at most 1.5'),
      row('builds from the cache', builds, hello, printing, 'at most 2'),
      {
        name: 'completion of a job from the cache',
        ...{ against: 'ten lines of node:http', goal: 'at most 1.15' },
        run: () => measure({ ours: [...tool, 'job', 'log', '7#'], theirs: bareList, env }),
      },
      row(
        'builds, a request',
        ['--no-cache', ...builds],
        bareList,
        'ten lines of node:http',
        'at most 2',
      ),
    ],
    close: async () => {
      server.kill();
      await once(server, 'exit');
    },
  };
}
