/** Finds another Node version for a measurement. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const scripts = join(import.meta.dirname, '../scripts/nodes.js');

/**
 * The path of a Node of a release line such as `22`, downloaded by npm if missing. In a separate
 * process, which exits if npm fails; other rows continue.
 */
export function otherNode(line) {
  const program = `import { nodeBinary } from ${JSON.stringify(scripts)}; console.log(nodeBinary('${line}'))`;
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8', cwd: join(import.meta.dirname, '..') },
  );
  const path = stdout.trim().split('\n').at(-1);
  if (status !== 0 || !path) throw new Error(`npm cannot provide Node ${line}`);
  return path;
}
