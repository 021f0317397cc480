/**
 * `npm run test:exe`: builds the executable, then runs against it the tests of the command line. Arguments
 * go to vitest.
 */
import { node } from './setup.js';

process.chdir(`${import.meta.dirname}/..`);
node(['scripts/build-exe.js']);
const tests = ['test/cli', 'test/executable', ...process.argv.slice(2)];
const env = { ...process.env, CICTL_TEST_PROGRAM: 'dist/exe/cictl' };
node(['node_modules/vitest/vitest.mjs', 'run', ...tests], env);
