/** The single executable (rebuilt if out of date) compared to the Node that it contains. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnv, measure } from './pair.js';

const here = import.meta.dirname;
const executable = join(here, '../dist/exe/cictl');
const node = join(here, '../node_modules/.cache/nodes/26/package/bin/node');

/** @param {string} folder an empty directory for the tool's own files */
export async function executableRows(folder) {
  const server = spawn(process.execPath, [join(here, 'server.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: cleanEnv(),
  });
  const [port] = await once(server.stdout, 'data');
  const url = `http://127.0.0.1:${String(port).trim()}`;
  const settings = { CICTL_TOKEN: 'token', CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  const env = { HOME: folder, CICTL_BASE_URL: url, ...settings };
  const row = (name, args, goal, theirs, against) => ({
    name: `executable: ${name}`,
    ...{ against, goal },
    run: () => {
      buildIfStale();
      return measure({ ours: [executable, ...args], theirs: [node, ...theirs], env });
    },
  });
  const list = ['builds', 'list'];
  const tool = join(here, '../bin/cictl.js');
  return {
    unit: 'ms',
    rows: [
      row(
        '--version',
        ['--version'],
        'at most 1.10',
        ['-e', 'console.log(1)'],
        'its Node, printing',
      ),
      row(
        'builds list',
        list,
        'at most 0.9',
        [join(here, 'bare-list.cjs'), url],
        'ten lines of node:http',
      ),
      row('builds list', list, 'at most 1.0', [tool, ...list], 'the package on its Node'),
    ],
    close: async () => {
      server.kill();
      await once(server, 'exit');
    },
  };
}

/** In a separate process, which exits if npm cannot provide Node; other rows continue. */
function buildIfStale() {
  if (existsSync(executable) && existsSync(node) && isFresh()) return;
  const { status } = spawnSync(process.execPath, [join(here, '../scripts/build-exe.js')], {
    stdio: 'ignore',
  });
  if (status !== 0) throw new Error('npm run build:exe failed');
}

/** Both files hold hashes of the build's inputs. */
function isFresh() {
  const cache = join(here, '../node_modules/.cache/cictl');
  const [ofPackage, ofExecutable] = ['inputs', 'executable/inputs'].map((name) => {
    const path = join(cache, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : name;
  });
  return ofPackage === ofExecutable;
}
