/** `npm test`: all the set-up, then the tests on the Node at hand. Arguments go to vitest. */
import { node, setUp } from './setup.js';

setUp();
node(['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]);
