/** `npm test`: the setup, then the tests on the current Node. Arguments are passed to vitest. */
import { node, setUp } from './setup.js';

setUp();
node(['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]);
