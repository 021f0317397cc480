/**
 * `npm run test:nodes [LINE...]`: runs the tests on several release lines of Node, by default on
 * all supported ones. The binaries are npm packages in `node_modules/.cache`, without install
 * scripts. `--report DIR` also writes vitest's JSON report of each line to `DIR/nodeLINE.json`;
 * `--without FOLDER` (repeatable) excludes its tests.
 */
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { nodeBinary } from './nodes.js';
import { say, setUp } from './setup.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { report: { type: 'string' }, without: { type: 'string', multiple: true } },
});
const lines = positionals.length > 0 ? positionals : ['20', '22', '24', '26'];

setUp();
const failed = lines.filter((line) => !passes(line));
say(failed.length === 0 ? `Node ${lines.join(', ')}: passed` : `Node ${failed.join(', ')}: FAILED`);
process.exitCode = failed.length === 0 ? 0 : 1;

function passes(line) {
  const node = nodeBinary(line);
  say(`\nNode ${line}: ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);
  const { status } = spawnSync(
    node,
    ['node_modules/vitest/vitest.mjs', 'run', ...reporters(line)],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      // Programs that tests start as `node` use the same Node.
      env: {
        ...process.env,
        PATH: [dirname(node), process.env.PATH].join(delimiter),
        CICTL_TESTS_WITHOUT: (values.without ?? []).join(),
      },
    },
  );
  return status === 0;
}

function reporters(line) {
  if (values.report === undefined) return [];
  return [
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${values.report}/node${line}.json`,
  ];
}
