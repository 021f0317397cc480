/**
 * `npm run test:exe`: builds the executable, then runs its own tests and some command-line tests
 * against it; with `CICTL_TEST_FULL=1`, all of them. Arguments are passed to vitest.
 */
import { node } from './setup.js';

process.chdir(`${import.meta.dirname}/..`);
node(['scripts/build-exe.js']);
const commands =
  process.env.CICTL_TEST_FULL === '1'
    ? ['test/cli']
    : ['process', 'builds-list', 'job-log', 'annotate'].map((name) => `test/cli/${name}.test.ts`);
const tests = ['test/executable', ...commands, ...process.argv.slice(2)];
const env = { ...process.env, CICTL_TEST_PROGRAM: 'dist/exe/cictl' };
node(['node_modules/vitest/vitest.mjs', 'run', ...tests], env);
